import TakeupModel
import TakeupService
import TakeupWatch

extension Failure {
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
}
