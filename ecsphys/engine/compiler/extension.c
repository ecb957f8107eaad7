/* The module ecsphys._engine: it calls the machine code of kernels with arguments of Python.

   It needs no header of Python: what follows are the declarations of the stable ABI (3.11 and later) that it uses, and
   the first fields of numpy's array, which are part of numpy's ABI. `kernels.h` is generated: the table of kernels. */
#include <stddef.h>
#include <stdint.h>

typedef struct _object { intptr_t refcount; struct _typeobject *type; } PyObject;
typedef struct { const char *name; void *function; int flags; const char *doc; } PyMethodDef;
typedef struct { int slot; void *value; } PyModuleDef_Slot;
typedef struct { PyObject head; PyObject *(*init)(void); intptr_t index; PyObject *copy; } PyModuleDef_Base;
typedef struct { PyModuleDef_Base base; const char *name; const char *doc; intptr_t size; PyMethodDef *methods; PyModuleDef_Slot *slots; void *traverse; void *clear; void *free; } PyModuleDef;
typedef struct { PyObject head; char *data; int dimensions; intptr_t *shape; intptr_t *strides; PyObject *base; PyObject *dtype; int flags; } Array;

#ifdef _WIN32
#define API extern __declspec(dllimport)
#define EXPORT __declspec(dllexport)
#else
#define API extern
#define EXPORT __attribute__((visibility("default")))
#endif
API PyObject *PyModuleDef_Init(PyModuleDef *);
API int PyModule_AddObjectRef(PyObject *, const char *, PyObject *);
API PyObject *PyImport_ImportModule(const char *);
API PyObject *PyObject_GetAttr(PyObject *, PyObject *);
API PyObject *PyObject_GetAttrString(PyObject *, const char *);
API int PyObject_SetItem(PyObject *, PyObject *, PyObject *);
API int PyObject_RichCompareBool(PyObject *, PyObject *, int);
API PyObject *PyObject_Call(PyObject *, PyObject *, PyObject *);
API PyObject *PyObject_CallNoArgs(PyObject *);
API PyObject *PyObject_CallFunctionObjArgs(PyObject *, ...);
API intptr_t PyList_Size(PyObject *);
API PyObject *PyList_GetItem(PyObject *, intptr_t);
API int PyList_SetSlice(PyObject *, intptr_t, intptr_t, PyObject *);
API PyObject *PyDict_GetItemWithError(PyObject *, PyObject *);
API char *PyByteArray_AsString(PyObject *);
API intptr_t PyByteArray_Size(PyObject *);
API PyObject *PyEval_GetFrame(void);
API PyObject *PyFrame_GetCode(PyObject *);
API PyObject *PyObject_Str(PyObject *);
API int PyObject_IsTrue(PyObject *);
API PyObject *PyCFunction_NewEx(PyMethodDef *, PyObject *, PyObject *);
API PyObject *PyCFunction_GetSelf(PyObject *);
API PyObject *PyCapsule_New(void *, const char *, void *);
API void *PyCapsule_GetPointer(PyObject *, const char *);
API PyObject *PyDict_New(void);
API int PyDict_SetItemString(PyObject *, const char *, PyObject *);
API PyObject *PyTuple_New(intptr_t);
API int PyTuple_SetItem(PyObject *, intptr_t, PyObject *);
API PyObject *PyTuple_GetItem(PyObject *, intptr_t);
API intptr_t PyTuple_Size(PyObject *);
API long long PyLong_AsLongLong(PyObject *);
API PyObject *PyLong_FromLongLong(long long);
API PyObject *PyBool_FromLong(long);
API double PyFloat_AsDouble(PyObject *);
API PyObject *PyFloat_FromDouble(double);
API PyObject *PyUnicode_FromString(const char *);
API PyObject *PyUnicode_InternFromString(const char *);
API const char *PyUnicode_AsUTF8AndSize(PyObject *, intptr_t *);
API unsigned long PyType_GetFlags(struct _typeobject *);
API int PyType_IsSubtype(struct _typeobject *, struct _typeobject *);
API PyObject *PyErr_Occurred(void);
API void PyErr_Clear(void);
API PyObject *PyErr_Format(PyObject *, const char *, ...);
API void *PyInterpreterState_Get(void);
API int64_t PyInterpreterState_GetID(void *);
API void *PyEval_SaveThread(void);
API void PyEval_RestoreThread(void *);
API void Py_IncRef(PyObject *);
API void Py_DecRef(PyObject *);
API PyObject *PyExc_TypeError;
API PyObject *PyExc_ImportError;
API PyObject *PyExc_ValueError;

enum { FASTCALL = 0x80, KEYWORDS = 0x2, EXECUTE = 2 };
enum { IS_TUPLE = 1 << 26 };
/* Flags of arrays: C order without gaps, aligned, writable. */
enum { PLAIN = 0x1 | 0x100 | 0x400 };

/* A kernel takes words: numbers, and of each array its address and its shape. It writes its results as words, too. */
typedef void (*Entry)(const int64_t *words, int64_t *results);

typedef struct {
    const char *name;      /* "broadphase.grid.find_pairs_grid" */
    const char *arguments; /* their names, flat: "grid__starts,grid__boxes,..." */
    const char *takes;     /* l, d, b: a number; P: a packed bundle; A and a dtype and a digit: an array; ( ): a bundle */
    const char *gives;     /* a letter for each result; "(" before them where they are a tuple */
} Kernel;

#include "kernels.h"

static const char *const CAPSULE = "ecsphys kernel";
static const char *const DTYPES[] = {"float64", "float32", "int64", "int32", "uint32", "uint8", "bool"};
static const char CODES[] = "dfliIB?";
enum { DTYPE_COUNT = 7, KNOWN = 4 };
/* The dtype objects that have been seen to be of a kind: comparing names takes long. They are kept for ever. */
static PyObject *known_dtypes[DTYPE_COUNT][KNOWN];
static struct _typeobject *array_type, *float_type;
static PyObject *address_name;
static PyObject *none;

/* What a capsule has: also another library finds all of a kernel there. */
typedef struct { const Kernel *kernel; Entry entry; void *function; } Chosen;
static Chosen chosen[KERNEL_COUNT];

static int same_text(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static int has_dtype(PyObject *dtype, int kind) {
    for (int k = 0; k < KNOWN && known_dtypes[kind][k]; k++)
        if (known_dtypes[kind][k] == dtype) return 1;
    PyObject *text = PyObject_Str(dtype);
    if (!text) return PyErr_Clear(), 0;
    const char *name = PyUnicode_AsUTF8AndSize(text, 0);
    int is_same = name && same_text(name, DTYPES[kind]);
    Py_DecRef(text);
    if (is_same)
        for (int k = 0; k < KNOWN; k++)
            if (!known_dtypes[kind][k]) {
                Py_IncRef(dtype);
                known_dtypes[kind][k] = dtype;
                break;
            }
    return is_same;
}

/* The name of an argument by its place among the flat ones, for an error. */
static void name_of_argument(const Kernel *kernel, int place, char *text, int size) {
    const char *from = kernel->arguments;
    while (place && *from)
        if (*from++ == ',') place--;
    int k = 0;
    for (; k < size - 1 && *from && *from != ','; k++) {
        if (from[0] == '_' && from[1] == '_') {
            text[k] = '.';
            from += 2;
        } else
            text[k] = *from++;
    }
    text[k] = 0;
}

/* Where reading has come to. */
typedef struct { const Kernel *kernel; const char *takes; int64_t *words; int place; } Reader;

static int refuse(const Reader *reader, const char *wanted, PyObject *value) {
    char name[80];
    name_of_argument(reader->kernel, reader->place, name, sizeof name);
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: %s must be %s, got %.300R", reader->kernel->name, name, wanted, value);
    return 0;
}

static int refuse_array(const Reader *reader, const char *dtype, int dimensions, PyObject *value) {
    char name[80];
    name_of_argument(reader->kernel, reader->place, name, sizeof name);
    PyErr_Format(PyExc_TypeError, "%s: %s must be a writable array of %s without gaps, with %d dimensions, got %.300R", reader->kernel->name, name, dtype, dimensions, value);
    return 0;
}

static int read_array(Reader *reader, PyObject *value) {
    int kind = 0;
    while (CODES[kind] != reader->takes[1]) kind++;
    int dimensions = reader->takes[2] - '0';
    const Array *array = (const Array *)value;
    if ((value->type != array_type && !PyType_IsSubtype(value->type, array_type)) || array->dimensions != dimensions ||
        (array->flags & PLAIN) != PLAIN || !has_dtype(array->dtype, kind))
        return refuse_array(reader, DTYPES[kind], dimensions, value);
    *reader->words++ = (int64_t)(intptr_t)array->data;
    for (int k = 0; k < dimensions; k++) *reader->words++ = array->shape[k];
    reader->takes += 3;
    reader->place++;
    return 1;
}

static int read(Reader *reader, PyObject *value) {
    union { double number; int64_t word; } real;
    switch (*reader->takes) {
    case 'A':
        return read_array(reader, value);
    case '(': {
        if (!(PyType_GetFlags(value->type) & IS_TUPLE)) return refuse(reader, "a bundle", value);
        intptr_t count = PyTuple_Size(value);
        reader->takes++;
        for (intptr_t k = 0; k < count; k++)
            if (*reader->takes == ')' || !read(reader, PyTuple_GetItem(value, k)))
                return PyErr_Occurred() ? 0 : refuse(reader, "a shorter bundle", value);
        if (*reader->takes != ')') return refuse(reader, "a longer bundle", value);
        reader->takes++;
        return 1;
    }
    case 'P': {
        PyObject *address = PyObject_GetAttr(value, address_name);
        if (!address) return 0;
        *reader->words++ = PyLong_AsLongLong(address);
        Py_DecRef(address);
        break;
    }
    case 'd':
        real.number = PyFloat_AsDouble(value);
        *reader->words++ = real.word;
        break;
    case 'b':
        *reader->words++ = PyObject_IsTrue(value);
        break;
    default:
        *reader->words++ = PyLong_AsLongLong(value);
    }
    if (reader->words[-1] == -1 || reader->takes[0] == 'd')
        if (PyErr_Occurred()) return refuse(reader, *reader->takes == 'd' ? "a number" : "a whole number", value);
    reader->takes++;
    reader->place++;
    return 1;
}

static int read_all(const Kernel *kernel, PyObject *const *arguments, intptr_t count, int64_t *words) {
    Reader reader = {kernel, kernel->takes, words, 0};
    intptr_t k = 0;
    for (; k < count && *reader.takes; k++)
        if (!read(&reader, arguments[k])) return 0;
    if (k < count || *reader.takes) {
        PyErr_Format(PyExc_TypeError, "%s: %zd arguments are too %s", kernel->name, count, k < count ? "many" : "few");
        return 0;
    }
    return 1;
}

static PyObject *result_of(char kind, int64_t word) {
    union { double number; int64_t word; } real;
    real.word = word;
    return kind == 'd' ? PyFloat_FromDouble(real.number) : kind == 'b' ? PyBool_FromLong((long)word) : PyLong_FromLongLong(word);
}

static PyObject *call(PyObject *self, PyObject *const *arguments, intptr_t count) {
    const Chosen *called = PyCapsule_GetPointer(self, CAPSULE);
    int64_t words[MOST_WORDS], results[MOST_RESULTS];
    if (!called || !read_all(called->kernel, arguments, count, words)) return 0;
    void *thread = PyEval_SaveThread();
    called->entry(words, results);
    PyEval_RestoreThread(thread);
    const char *gives = called->kernel->gives;
    if (*gives != '(') return *gives ? result_of(*gives, results[0]) : (Py_IncRef(none), none);
    intptr_t length = 0;
    while (gives[1 + length]) length++;
    PyObject *tuple = PyTuple_New(length);
    for (intptr_t k = 0; tuple && k < length; k++) PyTuple_SetItem(tuple, k, result_of(gives[1 + k], results[k]));
    return tuple;
}

static const Chosen *chosen_of(PyObject *function) {
    PyObject *self = PyCFunction_GetSelf(function);
    return self ? PyCapsule_GetPointer(self, CAPSULE) : 0;
}

/* record(kernel, arguments, words, first): write a call as words, the address of its machine code first. */
static PyObject *record(PyObject *self, PyObject *const *arguments, intptr_t count) {
    const Chosen *called = count == 4 ? chosen_of(arguments[0]) : 0;
    if (!called) return PyErr_Occurred() ? 0 : PyErr_Format(PyExc_TypeError, "record(kernel, arguments, words, first)");
    const Kernel *kernel = called->kernel;
    int64_t words[MOST_WORDS];
    PyObject *parts[MOST_ARGUMENTS];
    intptr_t parts_count = PyTuple_Size(arguments[1]);
    if (parts_count < 0 || parts_count > MOST_ARGUMENTS) return PyErr_Format(PyExc_TypeError, "%s: too many arguments", kernel->name);
    for (intptr_t k = 0; k < parts_count; k++) parts[k] = PyTuple_GetItem(arguments[1], k);
    if (!read_all(kernel, parts, parts_count, words)) return 0;
    const Array *plan = (const Array *)arguments[2];
    long long first = PyLong_AsLongLong(arguments[3]);
    if (PyErr_Occurred()) return 0;
    int64_t *place = (int64_t *)plan->data + first;
    *place++ = (int64_t)(intptr_t)called->function;
    int length = 0;
    for (const char *c = kernel->takes; *c; c++) length += *c == 'A' ? (c += 2, 1 + *c - '0') : *c != '(' && *c != ')';
    if (first < 0 || first + length >= plan->shape[0]) return PyErr_Format(PyExc_ValueError, "%s: no place in the plan", kernel->name);
    for (int k = 0; k < length; k++) place[k] = words[k];
    Py_IncRef(none);
    return none;
}

/* places(kernel): the names of its flat arguments, and what they are. */
static PyObject *places(PyObject *self, PyObject *const *arguments, intptr_t count) {
    const Chosen *asked = count == 1 ? chosen_of(arguments[0]) : 0;
    if (!asked) return PyErr_Occurred() ? 0 : PyErr_Format(PyExc_TypeError, "places(kernel)");
    PyObject *both = PyTuple_New(2);
    if (!both) return 0;
    PyTuple_SetItem(both, 0, PyUnicode_FromString(asked->kernel->arguments));
    PyTuple_SetItem(both, 1, PyUnicode_FromString(asked->kernel->takes));
    return both;
}

/* address(kernel): where machine code finds it. */
static PyObject *address(PyObject *self, PyObject *const *arguments, intptr_t count) {
    const Chosen *asked = count == 1 ? chosen_of(arguments[0]) : 0;
    if (!asked) return PyErr_Occurred() ? 0 : PyErr_Format(PyExc_TypeError, "address(kernel)");
    return PyLong_FromLongLong((long long)(intptr_t)asked->function);
}

#if defined(__x86_64__)
static void ask(uint32_t leaf, uint32_t part, uint32_t *out) {
    __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(leaf), "c"(part));
}

/* Which of the levels of x86-64 a processor and its system have: 2 and 3, or 0 (System V ABI, table of levels). */
static int level(void) {
    uint32_t one[4], seven[4], more[4];
    ask(1, 0, one);
    const uint32_t second = 1u << 0 | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23; /* SSE3 … SSE4.2, CX16, POPCNT */
    if ((one[2] & second) != second) return 0;
    const uint32_t third = 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29; /* FMA, MOVBE, OSXSAVE, AVX, F16C */
    if ((one[2] & third) != third) return 2;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    ask(7, 0, seven);
    ask(0x80000001u, 0, more);
    const uint32_t vectors = 1u << 3 | 1u << 5 | 1u << 8; /* BMI1, AVX2, BMI2 */
    return (low & 6) == 6 && (seven[1] & vectors) == vectors && more[2] >> 5 & 1 ? 3 : 2;
}
#else
static int level(void) { return 1; }
#endif

/* choose(name): take the code for a processor, the best one for None. */
static PyObject *choose(PyObject *self, PyObject *const *arguments, intptr_t count) {
    const char *name = count == 1 && arguments[0] != none ? PyUnicode_AsUTF8AndSize(arguments[0], 0) : "";
    if (!name) return 0;
    int best = -1, has = level();
    for (int k = 0; k < VARIANT_COUNT; k++)
        if (variants[k].level <= has && (!*name || same_text(name, variants[k].name))) best = k;
    if (best < 0)
        return PyErr_Format(PyExc_ImportError, *name ? "this processor does not run the code for %s, or there is none; of ECSPHYS_CPU" : "this processor is too old: ecsphys needs x86-64-v2, as all since about 2010 are%s", name);
    for (int k = 0; k < KERNEL_COUNT; k++)
        chosen[k] = (Chosen){&kernels[k], variants[best].entries[k], *variants[best].functions[k]};
    return PyUnicode_FromString(variants[best].name);
}

/* What llvmlite has numba's C functions for. A number times a power of two: all factors but the last are exact. */
double numba_ldexp(double x, int exponent) {
    const double up = 0x1p1023, down = 0x1p-1022 * 0x1p53;
    for (int k = 0; k < 2 && exponent > 1023; k++) x *= up, exponent -= 1023;
    for (int k = 0; k < 2 && exponent < -1022; k++) x *= down, exponent += 1022 - 53;
    exponent = exponent > 1023 ? 1023 : exponent < -1022 ? -1022 : exponent;
    union { uint64_t word; double number; } factor = {(uint64_t)(exponent + 1023) << 52};
    return x * factor.number;
}

/* The exact remainder, of x and y as whole numbers times a power of two. */
double fmod(double x, double y) {
    union { double number; uint64_t word; } a = {x}, b = {y};
    const uint64_t sign = a.word >> 63 << 63, one = 1ull << 52;
    int high = a.word >> 52 & 0x7ff, low = b.word >> 52 & 0x7ff;
    if (y == 0.0 || y != y || high == 0x7ff) return (x * y) / (x * y);
    uint64_t rest = a.word & (one - 1), divisor = b.word & (one - 1);
    if (high) rest |= one; else high = 1;
    if (low) divisor |= one; else low = 1;
    if (high < low || (high == low && rest < divisor)) return x;
    for (; !(divisor & 1) && high > low; low++, divisor >>= 1) {}
    for (rest %= divisor; high > low; high--) rest = (rest << 1) % divisor;
    if (!rest) {
        a.word = sign;
        return a.number;
    }
    while (rest >> 53) rest >>= 1, low++;
    while (!(rest & one) && low > 1) rest <<= 1, low--;
    a.word = sign | (rest & one ? (uint64_t)low << 52 | (rest & (one - 1)) : rest);
    return a.number;
}

double numba_frexp(double x, int *exponent) {
    union { double number; uint64_t word; } real = {x};
    int found = real.word >> 52 & 0x7ff;
    *exponent = 0;
    if (found == 0x7ff || x == 0.0) return x;
    if (!found) {
        real.number = x * 0x1p64;
        found = (int)(real.word >> 52 & 0x7ff) - 64;
    }
    *exponent = found - 1022;
    real.word = (real.word & ~(0x7ffull << 52)) | 1022ull << 52;
    return real.number;
}

/* Lets a processor's other work go first, in a loop that waits. */
void ecsphys_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#include "step_gate.h"

static PyMethodDef definitions[KERNEL_COUNT];
static PyMethodDef methods[] = {
    {"record", record, FASTCALL, 0}, {"places", places, FASTCALL, 0}, {"address", address, FASTCALL, 0}, {"choose", choose, FASTCALL, 0}, {"stage_call", stage_call, FASTCALL, 0}, {"events_call", events_call, FASTCALL, 0}, {"unchanged", unchanged, FASTCALL, 0}, {0}};

/* The interpreter that has the module. numpy and the objects kept here belong to one: others are refused. */
static int64_t owner = -1;

static int is_owned_by_another(void) {
    int64_t here = PyInterpreterState_GetID(PyInterpreterState_Get()), found = -1;
    return !__atomic_compare_exchange_n(&owner, &found, here, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && found != here;
}

static int execute(PyObject *module) {
    if (is_owned_by_another()) {
        PyErr_Format(PyExc_ImportError, "another interpreter of this process has loaded it");
        return -1;
    }
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy) return -1;
    array_type = (struct _typeobject *)PyObject_GetAttrString(numpy, "ndarray");
    Py_DecRef(numpy);
    address_name = PyUnicode_InternFromString("address");
    PyObject *builtins = PyImport_ImportModule("builtins");
    none = builtins ? PyObject_GetAttrString(builtins, "None") : 0;
    float_type = builtins ? (struct _typeobject *)PyObject_GetAttrString(builtins, "float") : 0;
    PyObject *all = PyDict_New();
    if (!array_type || !none || !float_type || !all || prepare_gate()) return -1;
    for (int k = 0; k < KERNEL_COUNT; k++) {
        const char *name = kernels[k].name;
        for (const char *c = name; *c; c++)
            if (*c == '.') name = c + 1;
        definitions[k] = (PyMethodDef){name, call, FASTCALL, 0};
        PyObject *capsule = PyCapsule_New(&chosen[k], CAPSULE, 0);
        PyObject *function = capsule ? PyCFunction_NewEx(&definitions[k], capsule, 0) : 0;
        if (!function || PyDict_SetItemString(all, kernels[k].name, function)) return -1;
    }
    PyObject *stamp = PyUnicode_FromString(SOURCE_STAMP);
    return !stamp || PyModule_AddObjectRef(module, "kernels", all) || PyModule_AddObjectRef(module, "source_stamp", stamp);
}

static PyModuleDef_Slot slots[] = {{EXECUTE, execute}, {0, 0}};
static PyModuleDef module = {{{1, 0}, 0, 0, 0}, "_engine", 0, 0, methods, slots, 0, 0, 0};
#ifdef _WIN32
int __stdcall DllMainCRTStartup(void *library, unsigned reason, void *reserved) { return 1; } /* no C runtime is linked */
int _fltused = 1;
#endif
EXPORT PyObject *PyInit__engine(void) { return PyModuleDef_Init(&module); }
