import TakeupModel

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
