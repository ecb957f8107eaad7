"""Where the stages of a step stand among a game's own processors (esper runs higher priorities first).

A game places its own systems between them; esper's default, 0, runs after the hits are known.
"""

INPUT_PRIORITY = 500
# In the frame, before all that draws what the steps have moved; input is read before it.
FIXED_STEP_PRIORITY = 450
ANALYTIC_MOTION_PRIORITY = 400
EULER_MOTION_PRIORITY = 390
# After all that moves by itself; before the hierarchy: children follow the bodies that carry them.
RIGID_BODY_PRIORITY = 380
# After all that moves by itself: children follow to where their parents were put back.
BOUNDS_PRIORITY = 360
HIERARCHY_PRIORITY = 350
PARTICLE_PRIORITY = 340
# After all that moves: a beam leaves the gun where it is now. Before the broadphase: it hits in the same step.
LIGHT_PRIORITY = 320
# After all that moves, lights too; before the broadphase, which sees bullets where they were stopped.
SWEEP_PRIORITY = 310
BROADPHASE_PRIORITY = 300
NARROWPHASE_PRIORITY = 200
# What stands in between knows the hits before handlers are told of them.
HIT_EVENT_PRIORITY = 100
# After the events: in its last step an entity hits, and its handlers find it alive.
LIFETIME_PRIORITY = 90

# After the game's own processors at esper's default, so that a camera sees its character where the step has left it.
SCROLLING_PRIORITY = -100
