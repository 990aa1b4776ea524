import Testing

@testable import TakeupExport

@Suite("PictureFaults")
struct PictureFaultsTests {
    /// What is counted of packets: `K` a key packet, `p` another, `h` a hidden one; `!` behind one is a complaint.
    private func faults(_ packets: String, missesEarlier: Bool = false) -> PictureFaults {
        var faults = PictureFaults(missesEarlier: missesEarlier)
        var complaints = 0
        for mark in packets {
            if mark == "!" {
                complaints += 1
                faults.note(complaints: complaints)
            } else {
                faults.take(isKey: mark == "K", isShown: mark != "h")
            }
        }
        return faults
    }

    @Test(
        "count a packet once, and none where the decoder misses what lies before",
        arguments: [
            ("Kpp", false, 0), ("K!pp", false, 1), ("Kp!!pp!K", false, 2), ("Kph!p", false, 0),
            ("p!K!p!Kp", false, 0), ("p!K!p!Kp!", false, 1),
            ("K!p!Kp", true, 0), ("K!p!Kp!", true, 1),
        ])
    func counts(packets: String, missesEarlier: Bool, count: Int) {
        #expect(faults(packets, missesEarlier: missesEarlier).count == count)
    }

    @Test("tell whether the last packet is one of them")
    func last() {
        #expect(faults("Kpp!").isLastFaulty)
        #expect(!faults("Kp!p").isLastFaulty)
        #expect(!faults("Kpp").isLastFaulty)
    }
}
