/** Maximum contracted power, included. */
export const MAX_KW = 1e6;

/** Maximum consumption or export of a period, included. */
export const MAX_KWH = 1e9;

/** Above this a connection of low voltage is no longer 2.0TD (Circular CNMC 3/2020, art. 6). */
export const MAX_KW_OF_2_0TD = 15;
