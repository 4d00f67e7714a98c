/*
 * Counts contended monitor enters of platform and virtual threads apart, in a
 * small mapped file that the agent reads from outside. JFR omits the virtual
 * threads that unmount while blocked (24 and later); this does not.
 *
 * Option: the path of the counter file. Usage: -agentpath:<library>=<file>
 *
 * can_support_virtual_threads is NOT asked for: it slows virtual threads down by
 * a factor of up to three, and the event comes for them without it.
 *
 * The callback runs on threads about to block: no allocation, no lock, no call
 * that could wait; one relaxed add to a cache line of its own.
 */
#include <jvmti.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAGIC 0x3143424cu /* "LBC1" in memory */
#define JNI_WITH_VIRTUAL 0x00150000 /* JNI_VERSION_21, absent in older headers */

/* The layout is that of internal/sample/contention.go. */
struct counters {
    uint32_t magic; /* written last */
    uint32_t sees_virtual; /* 1 = the two counts below are apart */
    uint8_t pad0[56];
    uint64_t platform;
    uint8_t pad1[56];
    uint64_t virtuals;
    uint8_t pad2[120];
};

_Static_assert(sizeof(struct counters) == 256, "the reader expects 256 bytes");
_Static_assert(sizeof(struct counters) % sizeof(uint64_t) == 0, "aligned counters");

static struct counters *counters;

static void JNICALL contended_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object) {
    (void)jvmti;
    (void)object;
    uint64_t *count = &counters->platform;
    if (__atomic_load_n(&counters->sees_virtual, __ATOMIC_RELAXED) && (*jni)->IsVirtualThread(jni, thread)) {
        count = &counters->virtuals;
    }
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

/* Before VMInit there is no JNI to ask for its version, and no virtual thread. */
static void JNICALL vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jvmti;
    (void)thread;
    if ((*jni)->GetVersion(jni) >= JNI_WITH_VIRTUAL) {
        __atomic_store_n(&counters->sees_virtual, 1, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&counters->magic, MAGIC, __ATOMIC_RELEASE);
}

static struct counters *map_counters(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        return NULL;
    }
    void *place = MAP_FAILED;
    if (ftruncate(fd, sizeof(struct counters)) == 0) {
        place = mmap(NULL, sizeof(struct counters), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    int why = errno;
    close(fd); /* the mapping stays */
    errno = why;
    return place == MAP_FAILED ? NULL : place;
}

static jvmtiError listen(jvmtiEnv *jvmti) {
    jvmtiCapabilities capabilities;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_generate_monitor_events = 1;
    jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &capabilities);
    if (error != JVMTI_ERROR_NONE) {
        return error;
    }
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = vm_init;
    callbacks.MonitorContendedEnter = contended_enter;
    error = (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    if (error == JVMTI_ERROR_NONE) {
        error = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    }
    if (error == JVMTI_ERROR_NONE) {
        error = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, NULL);
    }
    return error;
}

/* A failure leaves the file without its magic, so the columns are missing; it does
 * not keep the server from starting. */
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    jvmtiEnv *jvmti = NULL;
    if (options == NULL || *options == '\0') {
        fprintf(stderr, "lbcontention: no counter file named: -agentpath:<library>=<file>\n");
        return JNI_OK;
    }
    counters = map_counters(options);
    if (counters == NULL) {
        fprintf(stderr, "lbcontention: %s: %s\n", options, strerror(errno));
        return JNI_OK;
    }
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) {
        fprintf(stderr, "lbcontention: this JVM has no JVMTI 11\n");
        return JNI_OK;
    }
    jvmtiError error = listen(jvmti);
    if (error != JVMTI_ERROR_NONE) {
        fprintf(stderr, "lbcontention: JVMTI error %d\n", (int)error);
    }
    return JNI_OK;
}
