// Runs before the first paint: the chosen theme must not flash.
try {
    const theme = localStorage.getItem("takeup.theme");
    if (theme) document.documentElement.dataset.theme = theme;
} catch {
    // A browser that keeps nothing follows the system's theme.
}
