/* The gate of a step: where nothing has changed since the last step, the next one is made without Python.

   A loop calls stages one after the other. `stage_call` is what it calls for a stage. The gate is open for the first
   stage if everything that is watched is as it was: then the step is made here, and the calls of the other stages find
   it done. See systems/stepping/step_gate.py, which has the same numbers. */

/* The parts of a gate, a list. */
enum { WORDS, FIRST, STEP, CODE, LOOP_OWNER, LOOP_NAME, LOOP, WATCHED, FLAGS, ENTRIES, ANSWERS, RUN, RESTS, EVENTS, GO_ON };
/* Its words. */
enum { MODE, SECONDS, OF_GAMES, NEXT, UNTOLD, LEFT, HAS_TOLD, RAN, IS_CUT, RUN_LENGTH, FOLLOWED, FOLLOWED_BY_ALL, STAGES_LEFT, CALLED_WITH, CLOCK, STAGE_COUNT, PLANS, COUNT_OF_ALL = PLANS + 4, FROM, UNTIL, KNOWN_AT, STATUS_AT, NEWS_AT, FOLLOWS_AT, FLAGS_AT, STAGES };
enum { SHUT, CALM, AHEAD };
enum { EQUAL = 2 };

static PyObject *names[2];
enum { MADE_NAME, STEPPED_NAME, NAME_COUNT };
static const char *const NAMES[] = {"made", "stepped"};
static int run_plans = -1, follow_writes = -1; /* the kernels */

static PyObject *part(PyObject *gate, int which) { return PyList_GetItem(gate, which); }

static int64_t *words_in(PyObject *array) { return (int64_t *)((Array *)array)->data; }

static int64_t *words_of(PyObject *gate) { return words_in(part(gate, WORDS)); }

/* Whether the attributes are as they were: three by three an object, a name and a value. */
static int are_as_they_were(PyObject *watched) {
    intptr_t count = PyTuple_Size(watched);
    for (intptr_t k = 0; k < count; k += 3) {
        PyObject *now = PyObject_GetAttr(PyTuple_GetItem(watched, k), PyTuple_GetItem(watched, k + 1));
        if (!now) return 0;
        PyObject *then = PyTuple_GetItem(watched, k + 2);
        int is_same = now == then || PyObject_RichCompareBool(now, then, EQUAL) == 1;
        Py_DecRef(now);
        if (!is_same) return 0;
    }
    return 1;
}

/* Let the next plan begin where the last has ended. */
static void begin_plan(const int64_t *words) {
    int64_t *plan = (int64_t *)(intptr_t)words[PLANS + 2 * words[NEXT] + 1];
    const int64_t *last = (const int64_t *)(intptr_t)words[PLANS + 2 * !words[NEXT] + 1];
    for (int64_t k = words[FROM]; k < words[UNTIL]; k++) plan[k] = last[k];
}

/* Whether no byte of some bytearrays is 1. */
static int are_flags_down(PyObject *flags) {
    for (intptr_t k = 0, count = PyTuple_Size(flags); k < count; k++) {
        PyObject *bytes = PyTuple_GetItem(flags, k);
        const char *text = PyByteArray_AsString(bytes);
        char any = 0; /* each byte is 0 or 1 */
        for (intptr_t length = PyByteArray_Size(bytes); length; length--) any |= *text++;
        if (any) return 0;
    }
    return 1;
}

/* Call a kernel with the next plan: a row (1, 2) and its address, and two words that are of use to run_plans only. */
static void call_with_plan(int kernel, const int64_t *words, int64_t *results) {
    const int64_t row = words[PLANS + 2 * words[NEXT]];
    /* plans (1, 2), addresses, first, end */
    const int64_t arguments[] = {row, 1, 2, row, 0, 1};
    chosen[kernel].entry(arguments, results);
}

/* Whether no class was written, or the next plan, which has begun, has followed all writes. */
static int are_writes_followed(PyObject *gate, int64_t *words) {
    PyObject *flags = part(gate, FLAGS);
    if (are_flags_down(flags)) return 1;
    if (words[MODE] != AHEAD || PyTuple_Size(flags) != 1) return 0;
    int64_t *plan = (int64_t *)(intptr_t)words[PLANS + 2 * words[NEXT] + 1], results[MOST_RESULTS];
    if (!plan[words[FOLLOWS_AT]]) return 0;
    plan[words[FLAGS_AT]] = (int64_t)(intptr_t)PyByteArray_AsString(PyTuple_GetItem(flags, 0));
    plan[words[FLAGS_AT] + 1] = PyByteArray_Size(PyTuple_GetItem(flags, 0));
    call_with_plan(follow_writes, words, results);
    if (!results[0]) return 0;
    words[FOLLOWED]++;
    words[FOLLOWED_BY_ALL] = ++*(int64_t *)(intptr_t)words[COUNT_OF_ALL];
    return 1;
}

/* Whether a dict, an attribute of some object, still has an answer: (object, name, key, answer). */
static int has_answer(PyObject *answers) {
    PyObject *dict = PyObject_GetAttr(PyTuple_GetItem(answers, 0), PyTuple_GetItem(answers, 1));
    int has = dict && PyDict_GetItemWithError(dict, PyTuple_GetItem(answers, 2)) == PyTuple_GetItem(answers, 3);
    if (dict) Py_DecRef(dict);
    return has;
}

/* Whether a loop has the same list of stages and other processors as it had. */
static int is_same_loop(PyObject *gate) {
    PyObject *now = PyObject_GetAttr(part(gate, LOOP_OWNER), part(gate, LOOP_NAME)), *then = part(gate, LOOP);
    intptr_t count = PyTuple_Size(then);
    int is_same = now && PyList_Size(now) == count;
    for (intptr_t k = 0; is_same && k < count; k++) is_same = PyList_GetItem(now, k) == PyTuple_GetItem(then, k);
    if (now) Py_DecRef(now);
    return is_same;
}

/* unchanged(watched): whether the attributes are as they were. */
static PyObject *unchanged(PyObject *self, PyObject *const *arguments, intptr_t count) {
    if (count != 1) return PyErr_Format(PyExc_TypeError, "unchanged(watched)");
    int are_same = are_as_they_were(arguments[0]);
    if (!are_same) PyErr_Clear();
    return PyBool_FromLong(are_same);
}

static int is_called_by(PyObject *code) {
    PyObject *frame = PyEval_GetFrame(), *called_by = frame ? PyFrame_GetCode(frame) : 0;
    int is_same = called_by == code;
    if (called_by) Py_DecRef(called_by);
    return is_same;
}

static long long number_in(PyObject *object, int name) {
    PyObject *number = PyObject_GetAttr(object, names[name]);
    long long found = number ? PyLong_AsLongLong(number) : -1;
    if (number) Py_DecRef(number);
    return found;
}

/* Whether no names of events have handlers, and some attributes are as they were: (object, name of its dict, events,
   watched). */
static int are_unheard(PyObject *events) {
    PyObject *registry = PyObject_GetAttr(PyTuple_GetItem(events, 0), PyTuple_GetItem(events, 1));
    int are = registry != 0;
    PyObject *each = PyTuple_GetItem(events, 2);
    for (intptr_t k = 0, count = PyTuple_Size(each); are && k < count; k++)
        are = !PyDict_GetItemWithError(registry, PyTuple_GetItem(each, k));
    if (registry) Py_DecRef(registry);
    return are && are_as_they_were(PyTuple_GetItem(events, 3));
}

static int is_open(PyObject *gate, PyObject *seconds) {
    const int64_t *words = words_of(gate);
    union { double number; int64_t word; } real;
    if (seconds->type != float_type) return 0;
    real.number = PyFloat_AsDouble(seconds);
    PyObject *entries = part(gate, ENTRIES);
    return real.word == words[SECONDS] && !words[IS_CUT] && (words[MODE] == CALM || (words[HAS_TOLD] && words[LEFT] > 0)) &&
           is_called_by(part(gate, CODE)) && is_same_loop(gate) && has_answer(part(gate, ANSWERS)) &&
           words[FOLLOWED_BY_ALL] == *(const int64_t *)(intptr_t)words[COUNT_OF_ALL] &&
           (words[MODE] == CALM || number_in(entries, MADE_NAME) - number_in(entries, STEPPED_NAME) == words[OF_GAMES]) &&
           are_as_they_were(part(gate, WATCHED)) && (words[MODE] == AHEAD || are_unheard(part(gate, EVENTS)));
}

/* Run the next plan, which has begun; returns whether the step is complete, and brings no news. */
static int run_ahead(int64_t *words) {
    int64_t *plan = (int64_t *)(intptr_t)words[PLANS + 2 * words[NEXT] + 1], results[MOST_RESULTS];
    words[IS_CUT] = 1;
    call_with_plan(run_plans, words, results);
    if (plan[words[STATUS_AT]] || plan[words[NEWS_AT]]) return 0;
    plan[words[KNOWN_AT]] = plan[words[FROM]];
    words[NEXT] = !words[NEXT];
    words[UNTOLD]++;
    words[LEFT]--;
    words[HAS_TOLD] = words[IS_CUT] = 0;
    return 1;
}

/* Make the step of a stage and those that follow; returns whether it was made, −1 after an error. The gate is not shut. */
static int make_step(PyObject *gate, PyObject *stage, PyObject *seconds) {
    int64_t *words = words_of(gate);
    if (part(gate, FIRST) != stage) return 0;
    words[RAN] = 0; /* where the last step was cut short, its events were not asked for */
    PyObject *rests = part(gate, RESTS);
    if (!is_open(gate, seconds)) return PyErr_Clear(), 0;
    if (words[MODE] == AHEAD) begin_plan(words);
    if (!are_writes_followed(gate, words)) return 0;
    if (rests != none) {
        PyObject *answer = PyObject_CallNoArgs(rests);
        int is_true = answer ? PyObject_IsTrue(answer) : -1;
        if (answer) Py_DecRef(answer);
        if (is_true != 1) return is_true;
    }
    *(double *)(words + CLOCK) += PyFloat_AsDouble(seconds);
    /* The stages that have run in this step: up to the last of these. */
    PyObject *run = part(gate, RUN);
    intptr_t length = PyList_Size(run);
    if (length > words[RUN_LENGTH] && PyList_SetSlice(run, words[RUN_LENGTH], length, 0)) return -1;
    words[RAN] = words[MODE];
    if (words[MODE] == AHEAD && !run_ahead(words)) {
        PyObject *result = PyObject_CallFunctionObjArgs(part(gate, GO_ON), seconds, (PyObject *)0);
        words[RAN] = 0;
        if (!result) return -1;
        Py_DecRef(result);
    }
    words[STAGES_LEFT] = words[STAGE_COUNT];
    words[CALLED_WITH] = (int64_t)(intptr_t)seconds;
    return 1;
}

static PyObject *nothing(void) { return Py_IncRef(none), none; }

/* Call a function of Python with the arguments of a call. */
static PyObject *pass_on(PyObject *function, PyObject *const *arguments, intptr_t count, PyObject *keywords) {
    PyObject *all = PyTuple_New(count), *named = keywords ? PyDict_New() : 0, *result = 0;
    int is_whole = all && (!keywords || named);
    for (intptr_t k = 0; is_whole && k < count; k++) Py_IncRef(arguments[k]), PyTuple_SetItem(all, k, arguments[k]);
    for (intptr_t k = 0, more = keywords ? PyTuple_Size(keywords) : 0; is_whole && k < more; k++)
        is_whole = !PyObject_SetItem(named, PyTuple_GetItem(keywords, k), arguments[count + k]);
    if (is_whole) result = PyObject_Call(function, all, named);
    if (all) Py_DecRef(all);
    if (named) Py_DecRef(named);
    return result;
}

/* process(dt) of a stage: `self` is (stage, done, the stage's method, gate, the gate's words). */
static PyObject *process_stage(PyObject *self, PyObject *const *arguments, intptr_t count, PyObject *keywords) {
    PyObject *stage = PyTuple_GetItem(self, 0);
    int64_t *words = words_in(PyTuple_GetItem(self, 4));
    if (words[STAGES_LEFT]) {
        /* The gate has done the work of this stage. A call of another one, or with other seconds, ends the step. */
        int is_next = words[STAGES + words[STAGES_LEFT] - 1] == (int64_t)(intptr_t)stage;
        if (count == 1 && !keywords && is_next && (int64_t)(intptr_t)arguments[0] == words[CALLED_WITH]) {
            words[STAGES_LEFT]--;
            return nothing();
        }
        words[STAGES_LEFT] = 0;
    }
    if (count == 1 && !keywords) {
        PyObject *done = PyTuple_GetItem(self, 1);
        intptr_t left = PyList_Size(done);
        if (!left && words[MODE] != SHUT) {
            int is_made = make_step(PyTuple_GetItem(self, 3), stage, arguments[0]);
            if (is_made) return is_made > 0 ? nothing() : 0;
        } else if (left && PyList_GetItem(done, left - 1) == stage && PyList_GetItem(done, 0) == arguments[0])
            /* The first stage has done the work of this one. Behind the last, the seconds go as well. */
            return PyList_SetSlice(done, left == 2 ? 0 : left - 1, left, 0) ? 0 : nothing();
    }
    return pass_on(PyTuple_GetItem(self, 2), arguments, count, keywords);
}

/* process(dt) of the stage that sends events: `self` is (the stage's method, gate, its words). */
static PyObject *process_events(PyObject *self, PyObject *const *arguments, intptr_t count, PyObject *keywords) {
    int64_t *words = words_in(PyTuple_GetItem(self, 2)), ran = words[RAN];
    if (count == 1 && !keywords) {
        if (ran && ran == words[MODE]) {
            /* A processor between the stages may have set a handler. */
            if (are_unheard(part(PyTuple_GetItem(self, 1), EVENTS))) {
                words[RAN] = 0;
                if (ran == AHEAD) words[HAS_TOLD] = 1;
                return nothing();
            }
            PyErr_Clear();
        }
    }
    return pass_on(PyTuple_GetItem(self, 0), arguments, count, keywords);
}

#define PROCESS "process($self, /, dt)\n--\n\nRun this stage for dt seconds."
static PyMethodDef process_stage_definition = {"process", process_stage, FASTCALL | KEYWORDS, PROCESS};
static PyMethodDef process_events_definition = {"process", process_events, FASTCALL | KEYWORDS, PROCESS};

/* stage_call(stage, done, method, gate, words), events_call(method, gate, words): what a loop calls. */
static PyObject *new_call(PyMethodDef *definition, PyObject *const *arguments, intptr_t count) {
    PyObject *self = PyTuple_New(count);
    if (!self) return 0;
    for (intptr_t k = 0; k < count; k++) Py_IncRef(arguments[k]), PyTuple_SetItem(self, k, arguments[k]);
    PyObject *made = PyCFunction_NewEx(definition, self, 0);
    Py_DecRef(self);
    return made;
}

static PyObject *stage_call(PyObject *self, PyObject *const *arguments, intptr_t count) {
    return count == 5 ? new_call(&process_stage_definition, arguments, 5) : PyErr_Format(PyExc_TypeError, "stage_call(stage, done, method, gate, words)");
}

static PyObject *events_call(PyObject *self, PyObject *const *arguments, intptr_t count) {
    return count == 3 ? new_call(&process_events_definition, arguments, 3) : PyErr_Format(PyExc_TypeError, "events_call(method, gate, words)");
}

static int prepare_gate(void) {
    for (int k = 0; k < NAME_COUNT; k++)
        if (!(names[k] = PyUnicode_InternFromString(NAMES[k]))) return -1;
    for (int k = 0; k < KERNEL_COUNT; k++) {
        if (same_text(kernels[k].name, "run.run_plan.run_plans")) run_plans = k;
        if (same_text(kernels[k].name, "run.run_plan.follow_writes")) follow_writes = k;
    }
    return 0;
}
