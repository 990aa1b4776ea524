import TakeupWatch
import Testing

@Suite("Watch error")
struct WatchErrorTests {
    @Test("placeholder") func placeholder() {}
}
