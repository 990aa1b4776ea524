import Testing

@testable import TakeupExport

@Suite("Inspected source")
struct InspectedSourceTests {
    @Test(
        "what a part lacks is counted in words",
        arguments: [
            (
                1, "1 packet of streams that end where part 2 begins comes after its beginning",
                "part 2 begins with 1 picture that builds on those before it"
            ),
            (
                2, "2 packets of streams that end where part 2 begins come after its beginning",
                "part 2 begins with 2 pictures that build on those before it"
            ),
        ])
    func counts(count: Int, strays: String, pictures: String) {
        let seam = SourceSeam(place: 100, strays: count)
        let next = PlanFixture.asset([]) { $0.undecodableHead = [0: count] }
        let source = InspectedSource(
            [seam],
            [InspectedSource(PlanFixture.asset([])).parts[0], .init(place: 1, asset: next)],
            lost: [])
        #expect(source.parts[1].asset.description.loss?.details == [strays, pictures])
    }
}
