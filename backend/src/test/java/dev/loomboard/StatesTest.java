package dev.loomboard;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is one of a few words is an enum or a sealed type, not a text. */
@AnalyzeClasses(packages = "dev.loomboard", importOptions = ImportOption.DoNotIncludeTests.class)
final class StatesTest {

    /**
     * Last words of names that say so. A collector is none of them: JVMs name theirs, and the next JDK may have another.
     */
    private static final Pattern ONE_OF_A_FEW =
            Pattern.compile("(?:.*(?=[A-Z]))?(?i:state|status|kind|phase|outcome|severity"
                    + "|profile|visibility|priority|standing|validity|availability|verdict|direction|better|mode|level|scope|role|model"
                    + "|command|look|view|triage|decision|type|action|subject|how|when|thread)");

    private static final String AUDIT =
            "each package names its own actions and what they are of; stored ones outlive the code";
    private static final String SHELL = "a line for a shell";
    private static final String OAUTH = "OAuth's state parameter: random characters";
    private static final String ADDRESS = "an address";
    private static final String WORDS = "a sentence's part for a page, made of an enum and more";

    /** Members whose names say so and that must be texts, and why. */
    private static final Map<String, String> TEXTS = Map.ofEntries(
            entry("about.ApiPage.Operation.scope", "how a caller proves itself, as the OpenAPI file names it"),
            entry("artefact.ArtefactName.mediaType", "of HTTP"),
            entry("artefact.Diagnosis.Contention.type", "a Java class of the server"),
            entry("audit.AuditEntry.action", AUDIT),
            entry("audit.AuditEntry.subject", AUDIT),
            entry("audit.AuditEvent.action", AUDIT),
            entry("audit.AuditEvent.subject", AUDIT),
            entry("audit.AuditFilter.action", AUDIT),
            entry("database.DatabaseUrl.sslMode", "the driver's word, which it checks itself"),
            entry("history.ChangeView.state", WORDS),
            entry("jdk.JdkReport.Lineage.debugLevel", "a part of a digest; only release is accepted"),
            entry("leaderboard.BoardQuery.model", "as the address has it: what is no model must filter every row out"),
            entry("mail.Mail.subject", "of a mail"),
            entry("openid.IdToken.subject", "whom a provider means, in its own words"),
            entry("openid.ProviderAnswer.state", OAUTH),
            entry("openid.Visit.state", OAUTH),
            entry("outbox.ToldAlarm.subject", "the name of a schedule or machine"),
            entry("registration.NewKeyPage.command", SHELL),
            entry("registration.RegistrationTokenApi.TokenAnswer.command", SHELL),
            entry("registration.WaitingPage.command", SHELL),
            entry("regression.RerunDecision.noVerdict", "why there is none"),
            entry("retraction.Retraction.subject", WORDS),
            entry("schedulepages.ScheduleFormPage.action", ADDRESS),
            entry("trial.TrialPage.command", SHELL),
            entry("verdict.VerdictText.verdict", WORDS),
            entry("web.Problem.type", "a URI"),
            entry("web.Urls.status", ADDRESS),
            entry("webhook.WebhookBody.Alarm.subject", "the name of a schedule or machine"));

    @ArchTest
    static void what_is_one_of_a_few_words_is_no_text(JavaClasses all) {
        TreeSet<String> texts = new TreeSet<>();
        for (JavaClass type : all) {
            Stream.<JavaMember>concat(type.getFields().stream(), type.getMethods().stream())
                    .filter(StatesTest::isText)
                    .filter(member -> ONE_OF_A_FEW.matcher(member.getName()).matches())
                    .forEach(member -> texts.add(name(type) + "." + member.getName()));
        }
        assertThat(texts)
                .as("texts whose names say that they are one of a few words: make an enum of each, read and written by"
                        + " kernel.WireName, or say in TEXTS why it must be a text; what TEXTS names exists")
                .isEqualTo(new TreeSet<>(TEXTS.keySet()));
    }

    /** A field that is no constant, or a method that asks for nothing. */
    private static boolean isText(JavaMember member) {
        return switch (member) {
            case JavaField field ->
                field.getRawType().isEquivalentTo(String.class)
                        && !field.getModifiers().contains(JavaModifier.STATIC);
            case JavaMethod method ->
                method.getRawReturnType().isEquivalentTo(String.class)
                        && method.getRawParameterTypes().isEmpty();
            default -> false;
        };
    }

    private static String name(JavaClass type) {
        return type.getName().substring("dev.loomboard.".length()).replace('$', '.');
    }
}
