/// Why a scan does not look at what a name stands for.
public enum PassedOver: Sendable, Hashable {
    case link, pipe, socket, device, notUTF8, tooDeep, circle
    /// Sources were moved there.
    case aside
    /// A folder that nothing is to be taken from, whichever path leads to it.
    case own(String)

    /// For people.
    public var reason: String {
        switch self {
        case .link: "a symbolic link"
        case .pipe: "a named pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .notUTF8: "its name is not encoded in UTF-8"
        case .tooDeep: "it lies more than \(TreeScan.deepest) folders deep"
        case .circle: "it is a folder that it lies in"
        case .aside: "sources were moved there, as a mark of Takeup's says"
        case .own(let reason): reason
        }
    }
}
