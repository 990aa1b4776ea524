import Glibc

/// The sanitizer that a test was built with, if any.
public enum Sanitizer {
    /// Whether memory is held back, shadowed and counted in other ways than in the product.
    public static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
