import TakeupWatch
import Testing

@Suite("Temporary name")
struct TemporaryNameTests {
    @Test(
        "passes over what programs are still writing",
        arguments: [
            "clip.mov.part", "clip.MOV.PART", "a/clip.partial", "clip.tmp", "clip.mov.crdownload",
            "clip.mov.filepart", "clip.mkv.!qB", "clip.unmanic.part", "~$clip.mov", "~clip.mov",
            "clip.mov~", ".~lock.clip.mov#", ".goutputstream-A1B2C3", ".rsync-partial/clip.mov",
            ".clip.mov.Ab12Cd", "clip.mov.sb-1a2b3c4d-AbCdEf", "_UNPACK_film/clip.mkv",
            "_unpack_clip.mkv", "_FAILED_film/a/clip.mkv", ".syncthing.clip.mov.tmp",
            "~syncthing~clip.mov.tmp", ".fuse_hidden0001", ".nfs000001", "._clip.mov",
            "clip.part.mp4", "clip.mp4.part-Frag12", "clip.mov.aria2", "clip.mp4.ytdl",
            "#clip.mov#", "a/.hidden/clip.mov", "@eaDir/clip.mov", "$RECYCLE.BIN/clip.mov",
            "clip.download/clip.mov", "lost+found/clip.mov", "clip.swp", "",
        ])
    func passesOver(path: String) {
        #expect(TemporaryName.reason(path) != nil)
    }

    @Test(
        "takes whole names, however near they come",
        arguments: [
            "clip.mov", "a b/clip 1.mov", "part.mov", "apart.mov", "clip.part1.mkv", "tmp.mov",
            "temp/clip.mov", "download/clip.mov", "-clip.mov", "clip", "clip.", "unpack/clip.mov",
            "sample.mkv", "film-sample.mkv", "Sample/clip.mkv", "clip~1.mov", "é.mov", "#1.mov",
        ])
    func takes(path: String) {
        #expect(TemporaryName.reason(path) == nil)
    }

    @Test("says why")
    func saysWhy() {
        #expect(TemporaryName.reason("clip.mov.part") == "an unfinished copy by its name")
        #expect(TemporaryName.reason("_UNPACK_a/b.mkv") == "in a folder being unpacked into")
        #expect(TemporaryName.reason(folder: ".cache") == "in a hidden folder")
    }
}
