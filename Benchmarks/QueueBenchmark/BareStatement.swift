import TakeupJobs
import TakeupPostgres
import TakeupSQL

/// What the store has sent for a job, to be sent again for another one.
struct BareStatement: Sendable {
    /// A value that is sent along.
    enum Value: Sendable {
        /// The type's number in every PostgreSQL, and the value's text.
        case same(UInt32, String?)
        case token, sequence, job
    }

    let text: String
    /// nil for a script, which has no values.
    let values: [Value]?

    /// Takes over a message that was about one job.
    init(_ message: RecordedDatabase.Message, _ lease: Lease, sequence: Int64) {
        switch message {
        case .script(let script): (text, values) = (script, nil)
        case .statement(let sql, let sent):
            text = PostgresText.translated(sql)
            values = sent.map { value in
                switch value {
                case .integer(lease.token): .token
                case .integer(sequence): .sequence
                case .text(lease.job.rawValue): .job
                case .null: .same(0, nil)
                case .integer(let number): .same(20, "\(number)")
                case .real(let number): .same(701, "\(number)")
                case .text(let text): .same(25, text)
                }
            }
        }
    }
}
