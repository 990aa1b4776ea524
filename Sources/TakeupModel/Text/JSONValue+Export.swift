extension ExportWarning {
    package var json: JSONValue { ["code": .text(code), "message": .text(message)] }
}

extension LossReport {
    package var json: JSONValue {
        [
            "lostSeconds": .time(lostSeconds), "truncated": .flag(isTruncated),
            "details": .list(details.map(JSONValue.text)),
        ]
    }
}
