/** Lets PostgreSQL keep the plan of a prepared statement that takes an array. */

/**
 * SQL: an array parameter whose length the planner does not see. Where it does, it plans the statement anew at each
 * execution: for the one or two elements that there are, a plan looks cheaper than the one that it would keep, which is
 * for ten (PostgreSQL, `choose_custom_plan` in plancache.c). To plan our longest statements takes five times what they
 * take to run.
 * @param parameter with its type: `$1::text[]`. Of a function that takes several arrays, one is enough
 */
export const arrayOfAnyLength = (parameter: string) => `array(select unnest(${parameter}))`;
