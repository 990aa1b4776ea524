internal import Foundation
internal import TakeupLanes

/// The program that touches media: other programs start it, one task after the other, and it seals itself first.
@main
struct TakeupMedia {
    static func main() async {
        FreedMemory.shareHeaps()
        // Before anything else: what was done already would stay outside of the seal.
        guard let helper = HelperProcess(CommandLine.arguments.dropFirst()) else {
            HelperProcess.say(
                "takeup-media works for takeup, which starts it; there is nothing to type here. "
                    + "'takeup --help' says what takeup does.")
            exit(64)
        }
        exit(await helper.run())
    }
}
