@main
struct Takeup {
    static func main() {}
}
