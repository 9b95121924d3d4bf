package dev.pawl.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.pawl.engine.PawlException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The lines of the picture in docs/ARCHITECTURE.md, as rules. */
@AnalyzeClasses(packages = "dev.pawl", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    /** The one package through which the real world may come in. */
    private static final String WORLD = "dev.pawl.engine.world..";

    private static final Set<String> WORLDLY = Set.of("java.lang.System.nanoTime", "java.lang.System.currentTimeMillis",
            "java.lang.Math.random", "java.lang.Thread.sleep", "java.util.UUID.randomUUID",
            "java.util.concurrent.ThreadLocalRandom.current");

    @ArchTest
    static final ArchRule KERNEL_NEEDS_NOTHING_BUT_JAVA = classes().that().resideInAPackage("dev.pawl.kernel..")
            .should().onlyDependOnClassesThat().resideInAnyPackage("dev.pawl.kernel..", "java.lang..", "java.util",
                    "java.util.function", "java.util.stream", "java.util.regex", "java.math", "java.nio",
                    "java.nio.charset",
                    "java.security", "java.time", "java.time.temporal", "org.jspecify.annotations")
            .because("the kernel computes: no I/O, no clock, no chance, no thread");

    @ArchTest
    static final ArchRule ENGINE_KNOWS_NO_STORE = noClasses().that().resideInAPackage("dev.pawl.engine..")
            .should().dependOnClassesThat().resideInAnyPackage("dev.pawl.store..", "dev.pawl.testkit..")
            .because("the engine does, the store commits: only the port is between them");

    @ArchTest
    static final ArchRule ENGINE_SPEAKS_NO_SQL = noClasses().that().resideInAPackage("dev.pawl.engine..")
            .and().resideOutsideOfPackages("dev.pawl.engine.flow..", "dev.pawl.engine.task..",
                    "dev.pawl.engine.store..", "dev.pawl.engine.verify..")
            .should().dependOnClassesThat().resideInAnyPackage("java.sql..", "javax.sql..")
            .because("connections pass through it only on their way to the statements of the user's");

    @ArchTest
    static final ArchRule STORES_KNOW_THE_PORT_ALONE = noClasses().that().resideInAPackage("dev.pawl.store..")
            .should().dependOnClassesThat().resideInAnyPackage("dev.pawl.engine.shard..", "dev.pawl.engine.graph..",
                    "dev.pawl.engine.task..", "dev.pawl.engine.world..", "dev.pawl.kernel.collation..",
                    "dev.pawl.testkit..")
            .because("a store commits what it is given and computes nothing");

    @ArchTest
    static final ArchRule DATABASES_DO_NOT_KNOW_EACH_OTHER = noClasses().that()
            .resideInAnyPackage("dev.pawl.store.row..", "dev.pawl.store.plan..", "dev.pawl.store.sql..")
            .should().dependOnClassesThat()
            .resideInAnyPackage("dev.pawl.store.sqlite..", "dev.pawl.store.postgres..", "org.sqlite..",
                    "org.postgresql..");

    @ArchTest
    static final ArchRule KERNEL_IS_LAYERED = layers(
            "ledger", "id", "lifecycle", "message", "event", "workflow", "bundle", "collation");

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching("dev.pawl.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule TIME_CHANCE_AND_IDS_COME_THROUGH_THE_DOOR = classes().that()
            .resideOutsideOfPackage(WORLD)
            .should(not(callMethodWhere(target(worldly()))))
            .because("a run that depends on anything but its seed cannot be run again");

    @ArchTest
    static final ArchRule NO_RANDOM_SEEDS_OF_ITS_OWN = noClasses().that().resideOutsideOfPackage(WORLD)
            .should().callConstructor(Random.class)
            .orShould().callConstructor(SplittableRandom.class)
            .orShould().callConstructor(SecureRandom.class);

    @ArchTest
    static final ArchRule ONE_FAMILY_OF_EXCEPTIONS = classes().that().resideInAPackage("dev.pawl.engine..")
            .and().areAssignableTo(RuntimeException.class)
            .should().beAssignableTo(PawlException.class);

    @ArchTest
    static final ArchRule NULL_IS_SAID_OUT_LOUD = classes().that().resideInAPackage("dev.pawl..")
            .should(be(describe("in a @NullMarked package",
                    (JavaClass type) -> type.getPackage().isAnnotatedWith(NullMarked.class))));

    private static ArchRule layers(String... lowestFirst) {
        var layered =
                layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String layer : lowestFirst) {
            layered = layered.layer(layer).definedBy("dev.pawl.kernel." + layer);
        }
        for (int i = 0; i < lowestFirst.length; i++) {
            String[] above = Arrays.copyOfRange(lowestFirst, i + 1, lowestFirst.length);
            layered = above.length == 0
                    ? layered.whereLayer(lowestFirst[i]).mayNotBeAccessedByAnyLayer()
                    : layered.whereLayer(lowestFirst[i]).mayOnlyBeAccessedByLayers(above);
        }
        return layered;
    }

    private static DescribedPredicate<AccessTarget> worldly() {
        return describe("the clock, chance or sleep of this machine", called -> {
            String name = called.getOwner().getName() + "." + called.getName();
            return WORLDLY.contains(name) || (called.getName().equals("now") && name.startsWith("java.time."));
        });
    }

    /** A rule that finds nothing where something is proves nothing. */
    @Test
    void rulesSeeWhatTheyForbid() {
        JavaClasses broken = new ClassFileImporter().importClasses(Worldly.class);

        assertThat(TIME_CHANCE_AND_IDS_COME_THROUGH_THE_DOOR.evaluate(broken).getFailureReport().getDetails())
                .hasSize(3);
        assertThat(NO_RANDOM_SEEDS_OF_ITS_OWN.evaluate(broken).hasViolation()).isTrue();
        assertThat(ONE_FAMILY_OF_EXCEPTIONS.allowEmptyShould(true).evaluate(broken).hasViolation()).isFalse();
    }

    /** Does what nobody may. */
    static final class Worldly {

        String everything() {
            return Instant.now() + " " + System.nanoTime() + UUID.randomUUID() + new Random().nextInt();
        }
    }
}
