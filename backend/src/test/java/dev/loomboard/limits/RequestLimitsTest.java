package dev.loomboard.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.DatabaseOutage;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.ProblemException;
import dev.loomboard.web.request.ErrorAnswers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Who may send how many requests, on a clock of the test's own. */
final class RequestLimitsTest {

    private static final Caller NOBODY = new Caller.Anonymous();
    private static final Caller AGENT = agent("mac_a");
    private static final InetSocketAddress HERE = address("192.0.2.1");

    private final AtomicLong nanos = new AtomicLong(-5);
    private final RequestLimits limits =
            new RequestLimits(new RequestLimits.Rate(10, 1000), new RequestLimits.Rate(2, 20), nanos::get);

    @Test
    void so_many_at_once_and_then_so_many_a_second() {
        assertThat(admitted(NOBODY, HERE, 100)).isEqualTo(20);
        pass(Duration.ofMillis(499));
        assertThat(admitted(NOBODY, HERE, 100)).isZero();
        pass(Duration.ofMillis(1));
        assertThat(admitted(NOBODY, HERE, 100)).isEqualTo(1);
        pass(Duration.ofSeconds(5));
        assertThat(admitted(NOBODY, HERE, 100)).isEqualTo(10);
        pass(Duration.ofHours(1));
        assertThat(admitted(NOBODY, HERE, 100)).as("no more is saved").isEqualTo(20);
    }

    @Test
    void refusal_says_what_is_allowed_and_when_to_come_back() {
        admitted(NOBODY, HERE, 20);
        ProblemException refusal = limits.refusal(NOBODY, HERE).orElseThrow();
        assertThat(refusal.problem().status()).isEqualTo(429);
        assertThat(refusal.problem().detail())
                .contains("This address may send 20 requests at once and 2 a second", "Wait 1 s");
        assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void everybody_has_an_own_allowance_wherever_from() {
        admitted(NOBODY, HERE, 100);
        assertThat(admitted(NOBODY, address("192.0.2.2"), 100)).isEqualTo(20);
        assertThat(admitted(NOBODY, address("2001:db8:0:1::1"), 15)).isEqualTo(15);
        assertThat(admitted(NOBODY, address("2001:db8:0:1:ffff::2"), 15))
                .as("of the same /64")
                .isEqualTo(5);
        assertThat(admitted(AGENT, HERE, 2000)).isEqualTo(1000);
        assertThat(admitted(agent("mac_b"), HERE, 2000)).isEqualTo(1000);
        assertThat(admitted(new Caller.Token("tok_a", new WorkspaceId(1), Set.of()), HERE, 2000))
                .isEqualTo(1000);
        assertThat(admitted(new Caller.Person(new AccountId(1), "acc_a", "A", false, Map.of()), null, 2000))
                .isEqualTo(1000);
        assertThat(limits.ofStranger(HERE)).as("a key that is not good").isPresent();
    }

    /** The defaults, against what an agent does at most: it sends one upload after the other. */
    @Test
    void agent_that_measures_or_sends_what_it_kept_for_two_days_never_meets_the_limit() {
        RequestLimits defaults =
                new RequestLimits(new RequestLimits.Rate(20, 20_000), new RequestLimits.Rate(20, 600), nanos::get);
        int refused = 0;
        for (int batch = 0; batch < 2 * 8640; batch++) { // the spool, at 5 ms each, with heartbeats
            pass(Duration.ofMillis(5));
            refused += defaults.refusal(AGENT, HERE).isPresent() ? 1 : 0;
        }
        for (int second = 0;
                second < 100_000;
                second++) { // a batch and a heartbeat each ten seconds, a claim now and then
            pass(Duration.ofSeconds(1));
            refused += second % 5 == 0 && defaults.refusal(AGENT, HERE).isPresent() ? 1 : 0;
        }
        assertThat(refused).isZero();
    }

    @Test
    void zero_is_no_limit_and_nonsense_is_refused_at_the_start() {
        RequestLimits open = new RequestLimits(new RequestLimits.Rate(0, 1), new RequestLimits.Rate(0, 1), nanos::get);
        assertThat(IntStream.range(0, 100)
                        .allMatch(i -> open.refusal(NOBODY, HERE).isEmpty()))
                .isTrue();
        assertThatThrownBy(() -> new RequestLimits.Rate(-1, 1)).isInstanceOf(StartupRefusal.class);
        assertThatThrownBy(() -> new RequestLimits.Rate(1, 0)).isInstanceOf(StartupRefusal.class);
    }

    @Test
    void page_is_refused_as_an_error_and_files_never_are() {
        RequestLimitFilter filter = new RequestLimitFilter(limits);
        AtomicInteger served = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            filter.filter(exchange("/files/none/css/base.css"), same -> Mono.fromRunnable(served::incrementAndGet))
                    .block(Duration.ofMinutes(2));
        }
        assertThat(served).hasValue(100);
        admitted(NOBODY, HERE, 20);
        MockServerWebExchange refused = exchange("/leaderboard.json");
        ErrorAnswers errors = new ErrorAnswers(new PageRenderer(), JsonMapper.shared(), new DatabaseOutage());
        filter.filter(refused, same -> Mono.fromRunnable(served::incrementAndGet))
                .onErrorResume(error -> errors.handle(refused, error))
                .block(Duration.ofMinutes(2));
        assertThat(served).hasValue(100);
        assertThat(refused.getResponse().getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
        assertThat(refused.getResponse().getHeaders().getFirst("Retry-After")).isEqualTo("1");
        assertThat(refused.getResponse().getBodyAsString().block(Duration.ofMinutes(2)))
                .contains("\"status\":429", "too-many-requests");
    }

    private static MockServerWebExchange exchange(String path) {
        return MockServerWebExchange.from(MockServerHttpRequest.get(path).remoteAddress(HERE));
    }

    private int admitted(Caller caller, @Nullable InetSocketAddress from, int requests) {
        return (int) IntStream.range(0, requests)
                .filter(i -> limits.refusal(caller, from).isEmpty())
                .count();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static Caller agent(String id) {
        return new Caller.Agent(new MachineId(1), id, new WorkspaceId(1));
    }

    private static InetSocketAddress address(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 1);
    }
}
