import TakeupModel
import TakeupWatch

extension Failure {
    init(_ report: FailureReport) {
        // A report may come from a process that hostile bytes have taken over: no failure is a success.
        let code = ExitCode(rawValue: report.exitCode).flatMap { $0 == .success ? nil : $0 }
        self.init(
            exitCode: code ?? .internalError, code: report.code,
            stage: report.stage, message: report.message, hint: report.hint)
    }

    /// A cancelled export has the exit code of the signal that cancelled it.
    init(_ error: ExportError, signal: Int32? = nil) {
        self.init(FailureReport(error, signal: signal))
    }

    init(_ error: PresetError) {
        self.init(FailureReport(error))
    }

    /// A preset that the environment or the configuration names is their mistake, and not the command line's.
    init(_ error: PresetError, setBy origin: Setting.Origin?) {
        let plain = Failure(error)
        switch origin {
        case .environment(let variable):
            self.init(
                exitCode: .configuration, code: plain.code, stage: plain.stage,
                message: "\(variable): \(plain.message)", hint: plain.hint)
        case .configuration(let place):
            self.init(
                exitCode: .configuration, code: plain.code, stage: plain.stage,
                message: plain.message, hint: "\(plain.hint) (set in \(place))")
        case .flag, .builtIn, nil: self = plain
        }
    }

    /// What watching or its settings have thrown, in its own words; anything else is a mistake of ours.
    init(of error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as WatchError: self.init(error)
        case let error as ConfigurationError: self.init(error)
        default: self = .unexpected(error)
        }
    }

    /// A mistake of ours, said as such.
    static func unexpected(_ error: any Error) -> Failure {
        Failure(FailureReport.unexpected(error))
    }
}
