import TakeupMediaClient
import Testing

@testable import takeup

@Suite("FFmpeg inventory")
struct FFmpegInventoryTests {
    private func checks(without missing: Set<String> = []) -> [String: DoctorCheck] {
        let inventory = FFmpegInventory(
            found: MediaInventory(
                release: "5.1.9", libraries: ["libavcodec 59.37.100"],
                encoders: FFmpegInventory.encoders().subtracting(missing),
                filters: FFmpegInventory.filterNames.subtracting(missing)))
        return Dictionary(uniqueKeysWithValues: inventory.checks().map { ($0.subject, $0) })
    }

    @Test("complete libraries are named and give no complaint")
    func complete() {
        let checks = checks()
        #expect(checks.values.allSatisfy { $0.status == .good && $0.hint == nil })
        #expect(checks["FFmpeg"]?.finding == "5.1.9 (libavcodec 59.37.100)")
        #expect(checks["encoders"]?.finding == "aac, libsvtav1, libx264, libx265, mjpeg, png")
    }

    @Test("a missing encoder names the presets that need it")
    func encoders() throws {
        let checks = checks(without: ["libsvtav1", "libx264"])
        let av1 = try #require(checks["libsvtav1"])
        #expect(av1.status == .warning && av1.finding.contains("av1-1920x1080"))
        #expect(!av1.finding.contains("1280x720"))
        let h264 = try #require(checks["libx264"])
        #expect(h264.status == .failure && h264.finding.contains("1280x720"))
        #expect(checks["encoders"]?.finding == "aac, libx265, mjpeg, png")
    }

    @Test("a missing filter says what it is for")
    func filters() {
        let checks = checks(without: ["zscale", "tonemap"])
        #expect(checks["zscale"]?.status == .failure)
        #expect(checks["tonemap"]?.status == .warning)
        #expect(checks["tonemap"]?.finding.contains("HDR") == true)
        #expect(checks["filters"] == nil)
    }

    @Test("the libraries of this machine are asked")
    func live() async throws {
        let found = try await Engine.built.inventory(
            FFmpegInventory.encoders(), FFmpegInventory.filterNames)
        let checks = FFmpegInventory(found: found).checks()
        let version = try #require(checks.first)
        #expect(version.finding.contains("libavformat "))
        #expect(checks.contains { $0.subject == "encoders" && $0.finding.contains("libx264") })
    }
}
