import TakeupExport

extension ExportWarning {
    var json: JSONValue { ["code": .text(code), "message": .text(message)] }
}

extension LossReport {
    var json: JSONValue {
        [
            "lostSeconds": .time(lostSeconds), "truncated": .flag(isTruncated),
            "details": .list(details.map(JSONValue.text)),
        ]
    }
}

extension ExportPlan {
    var json: JSONValue {
        [
            "type": "plan", "duration": .time(duration),
            "decisions": .list(
                decisions.map {
                    [
                        "subject": .text($0.subject), "choice": .text($0.choice),
                        "reason": .text($0.reason),
                    ]
                }),
            "warnings": .list(warnings.map(\.json)), "loss": loss?.json ?? .null,
        ]
    }
}
