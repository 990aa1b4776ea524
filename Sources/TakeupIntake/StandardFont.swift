internal import Foundation

/// The font of titles that name none.
public enum StandardFont {
    /// Fonts with many scripts, where Debian, Fedora, Arch and Alpine install them; the first that is there is taken.
    static let usual = [
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
        "/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf",
        "/usr/share/fonts/liberation-sans/LiberationSans-Regular.ttf",
        "/usr/share/fonts/truetype/freefont/FreeSans.ttf",
    ]

    /// Returns the first of some files that can be read; nil for none.
    public static func path(among fonts: [String]? = nil) -> String? {
        (fonts ?? usual).first { access($0, R_OK) == 0 }
    }
}
