import TakeupServe
import Testing

@Suite("Access scopes")
struct AccessScopeTests {
    @Test("include those before them")
    func order() {
        #expect(AccessScope.anyone < .read)
        #expect(AccessScope.read < .submit)
        #expect(AccessScope.submit < .admin)
    }
}
