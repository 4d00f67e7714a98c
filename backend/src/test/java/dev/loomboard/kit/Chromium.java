package dev.loomboard.kit;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The system's browser, driven by Playwright, which downloads none. */
public final class Chromium {

    private static final Path PROGRAM = Path.of("/usr/bin/chromium");

    private Chromium() {}

    /** Is used by one thread at a time: Playwright is not made for more. */
    public static Playwright playwright() {
        return Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    }

    public static Browser launch(Playwright playwright) {
        if (!Files.isExecutable(PROGRAM)) {
            throw new AssertionError(
                    PROGRAM + " is missing: `make test` installs it (Debian: apt-get install chromium)");
        }
        return playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(PROGRAM)
                        .setArgs(List.of(
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-quic",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync")));
    }
}
