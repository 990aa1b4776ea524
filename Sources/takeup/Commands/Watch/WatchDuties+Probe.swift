import TakeupWatch
import TakeupWorker

extension WatchDuties.Examination {
    /// Looks into an open file in a sealed process.
    ///
    /// Of one that cannot be read as media nothing is known: its job says why.
    init(_ descriptor: Int32, _ path: String, by probe: MediaProbe) {
        var found = FileFacts(path: path)
        do throws(MediaProbeError) {
            let media = try probe.facts(of: descriptor, name: path)
            (found.seconds, found.width, found.height) = (media.seconds, media.width, media.height)
            (found.videoCodec, found.audioCodec) = (media.videoCodec, media.audioCodec)
            (found.languages, found.hasVideo) = (media.languages, media.hasVideo)
            self.init(found, gap: media.cutShort)
        } catch {
            self.init(found)
        }
    }
}
