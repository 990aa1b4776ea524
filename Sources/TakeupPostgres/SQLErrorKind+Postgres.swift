internal import TakeupSQL

extension SQLError.Kind {
    /// From libpq's words, for it gives no code for a connection that was not made.
    init(refusal message: String) {
        func says(_ words: String...) -> Bool { words.contains(where: message.contains) }
        self =
            if says(
                "too many connections", "remaining connection slots", "not currently accepting")
            {
                .unreachable
            } else if says(
                "authentication", "pg_hba.conf", "permission denied", "no password", "role \"")
            {
                .notPermitted
            } else if says(
                "does not support SSL", "certificate", "SSL error: tlsv", "unsupported protocol")
            {
                .untrusted
            } else if says("database \"") || message.hasPrefix("invalid ") {
                // The second: of an option in the address.
                .cannotOpen
            } else {
                .unreachable
            }
    }

    /// From PostgreSQL's five characters, of which the first two name the class.
    init(sqlState state: String) {
        self =
            switch state {
            case "40001", "40P01", "55P03", "57014": .busy
            case "53100": .diskFull
            case "25006", "53300", "57P01", "57P02", "57P03": .unreachable
            case "42501": .notPermitted
            case "3D000": .cannotOpen
            case "3F000": .noSchema
            default:
                switch state.prefix(2) {
                case "23": .constraint
                case "08": .unreachable
                case "28": .notPermitted
                case "XX": .damaged
                default: .other
                }
            }
    }
}
