/* A frame of moving circles in plain C: what ecsphys does for them, without components, filters, contacts and Python.
 *
 * Move, count into a uniform grid, test the pairs of neighbouring cells, sort the hits by both numbers, and compare
 * them with those of the frame before. One thread, no intrinsics; what vectors there are, the compiler finds.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t a, b; /* numbers of two circles, a < b */
} pair_t;

typedef struct {
    pair_t *rows;
    int64_t count, room;
} pairs_t;

/* The caller owns the five arrays; the rest is ours. The grid has an empty border, so that no cell lacks neighbours. */
typedef struct {
    int64_t count;
    double *x, *y, *vx, *vy, *radius;
    pairs_t hits, before, starts, ends;
    double largest;
    int64_t room, columns;
    int32_t *first;  /* place of each cell's first circle, in the order of the cells */
    int32_t *cell;   /* of each circle */
    int32_t *number; /* of the circle at each place of that order */
    double *grid_x, *grid_y, *grid_radius;
    pairs_t found; /* hits in the order of the cells */
    int32_t *slot; /* of each circle's hits among the sorted ones */
} world_t;

static void *checked(void *memory) {
    if (!memory) abort();
    return memory;
}

static void push(pairs_t *pairs, int32_t a, int32_t b) {
    if (pairs->count == pairs->room) {
        pairs->room = 2 * pairs->room + 1024;
        pairs->rows = checked(realloc(pairs->rows, pairs->room * sizeof(pair_t)));
    }
    pairs->rows[pairs->count++] = (pair_t){a, b};
}

world_t *world_new(int64_t count, double *x, double *y, double *vx, double *vy, double *radius) {
    world_t *world = checked(calloc(1, sizeof(world_t)));
    *world = (world_t){.count = count, .x = x, .y = y, .vx = vx, .vy = vy, .radius = radius};
    for (int64_t i = 0; i < count; i++) world->largest = fmax(world->largest, radius[i]);
    world->cell = checked(malloc(count * sizeof(int32_t)));
    world->number = checked(malloc(count * sizeof(int32_t)));
    world->grid_x = checked(malloc(count * sizeof(double)));
    world->grid_y = checked(malloc(count * sizeof(double)));
    world->grid_radius = checked(malloc(count * sizeof(double)));
    world->slot = checked(malloc((count + 1) * sizeof(int32_t)));
    return world;
}

void world_free(world_t *world) {
    pairs_t *lists[] = {&world->hits, &world->before, &world->starts, &world->ends, &world->found};
    for (int i = 0; i < 5; i++) free(lists[i]->rows);
    free(world->first);
    free(world->cell);
    free(world->number);
    free(world->grid_x);
    free(world->grid_y);
    free(world->grid_radius);
    free(world->slot);
    free(world);
}

static void move(world_t *world, double dt) {
    for (int64_t i = 0; i < world->count; i++) {
        world->x[i] += world->vx[i] * dt;
        world->y[i] += world->vy[i] * dt;
    }
}

/* Sort the circles by cells as wide as the largest circle: what overlaps lies in the same cell or in neighbours. */
static void file_in_grid(world_t *world) {
    int64_t count = world->count;
    const double *x = world->x, *y = world->y;
    double min_x = x[0], max_x = x[0], min_y = y[0], max_y = y[0];
    for (int64_t i = 0; i < count; i++) {
        min_x = x[i] < min_x ? x[i] : min_x;
        max_x = x[i] > max_x ? x[i] : max_x;
        min_y = y[i] < min_y ? y[i] : min_y;
        max_y = y[i] > max_y ? y[i] : max_y;
    }
    double per_cell = 1.0 / (2.0 * world->largest * (1.0 + 1e-9));
    int64_t columns = (int64_t)((max_x - min_x) * per_cell) + 3, rows = (int64_t)((max_y - min_y) * per_cell) + 3;
    int64_t cells = columns * rows;
    world->columns = columns;
    if (cells > world->room) {
        world->room = 2 * cells;
        world->first = checked(realloc(world->first, (world->room + 2) * sizeof(int32_t)));
    }
    int32_t *first = world->first, *cell = world->cell;
    memset(first, 0, (cells + 2) * sizeof(int32_t));
    for (int64_t i = 0; i < count; i++)
        cell[i] = ((int32_t)((y[i] - min_y) * per_cell) + 1) * (int32_t)columns + (int32_t)((x[i] - min_x) * per_cell) + 1;
    /* Counted two cells on: after the sums first[c + 1] is where c begins, and after the filing where c + 1 does. */
    for (int64_t i = 0; i < count; i++) first[cell[i] + 2]++;
    for (int64_t c = 2; c < cells + 2; c++) first[c] += first[c - 1];
    for (int64_t i = 0; i < count; i++) {
        int32_t place = first[cell[i] + 1]++;
        world->number[place] = (int32_t)i;
        world->grid_x[place] = x[i];
        world->grid_y[place] = y[i];
        world->grid_radius[place] = world->radius[i];
    }
}

static inline void test_range(world_t *world, int32_t i, int32_t low, int32_t high) {
    const double *x = world->grid_x, *y = world->grid_y, *radius = world->grid_radius;
    for (int32_t j = low; j < high; j++) {
        double dx = x[j] - x[i], dy = y[j] - y[i], reach = radius[i] + radius[j];
        if (dx * dx + dy * dy < reach * reach) {
            int32_t a = world->number[i], b = world->number[j];
            push(&world->found, a < b ? a : b, a < b ? b : a);
        }
    }
}

/* Each circle against the later ones of its cell, the next cell, and the three above. */
static void find_hits(world_t *world) {
    const int32_t *first = world->first;
    int64_t columns = world->columns;
    world->found.count = 0;
    for (int32_t i = 0; i < world->count; i++) {
        int64_t c = world->cell[world->number[i]];
        test_range(world, i, i + 1, first[c + 2]);
        test_range(world, i, first[c + columns - 1], first[c + columns + 2]);
    }
}

/* Count by the first number, then sort each circle's few by the second. */
static void sort_hits(world_t *world) {
    const pairs_t *found = &world->found;
    int32_t *slot = world->slot;
    pairs_t last = world->before;
    world->before = world->hits;
    world->hits = last;
    pairs_t *hits = &world->hits;
    if (found->count > hits->room) {
        hits->room = 2 * found->count;
        hits->rows = checked(realloc(hits->rows, hits->room * sizeof(pair_t)));
    }
    hits->count = found->count;
    memset(slot, 0, (world->count + 1) * sizeof(int32_t));
    for (int64_t k = 0; k < found->count; k++) slot[found->rows[k].a + 1]++;
    for (int64_t i = 1; i <= world->count; i++) slot[i] += slot[i - 1];
    int32_t *end = slot;
    for (int64_t k = 0; k < found->count; k++) {
        pair_t pair = found->rows[k];
        hits->rows[end[pair.a]++] = pair;
    }
    for (int64_t k = 1; k < hits->count; k++) {
        pair_t pair = hits->rows[k];
        int64_t place = k;
        for (; place > 0 && hits->rows[place - 1].a == pair.a && hits->rows[place - 1].b > pair.b; place--)
            hits->rows[place] = hits->rows[place - 1];
        hits->rows[place] = pair;
    }
}

static inline int64_t order_of(pair_t pair) {
    return (int64_t)pair.a << 32 | pair.b;
}

/* What is in one of two sorted lists only has started or ended. */
static void compare(world_t *world) {
    const pairs_t *now = &world->hits, *before = &world->before;
    world->starts.count = world->ends.count = 0;
    int64_t i = 0, j = 0;
    while (i < now->count && j < before->count) {
        pair_t a = now->rows[i], b = before->rows[j];
        if (order_of(a) == order_of(b)) {
            i++, j++;
        } else if (order_of(a) < order_of(b)) {
            push(&world->starts, a.a, a.b);
            i++;
        } else {
            push(&world->ends, b.a, b.b);
            j++;
        }
    }
    for (; i < now->count; i++) push(&world->starts, now->rows[i].a, now->rows[i].b);
    for (; j < before->count; j++) push(&world->ends, before->rows[j].a, before->rows[j].b);
}

void world_step(world_t *world, double dt) {
    move(world, dt);
    file_in_grid(world);
    find_hits(world);
    sort_hits(world);
    compare(world);
}

/* Which: 0 the hits, 1 those that started, 2 those that ended. Valid until the next step. */
const pairs_t *world_pairs(const world_t *world, int which) {
    return which == 0 ? &world->hits : which == 1 ? &world->starts : &world->ends;
}
