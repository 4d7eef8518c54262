/** Fields that a PATCH may change without an effect on the schedule. */
export const FIELDS_BESIDE_THE_SCHEDULE = ["notes", "ready_at", "customer", "dropoff"] as const;
export type FieldBesideTheSchedule = (typeof FIELDS_BESIDE_THE_SCHEDULE)[number];

/** The name of the case with a PATCH of this field. */
export const afterPatchOf = (field: FieldBesideTheSchedule): `after a PATCH of ${FieldBesideTheSchedule}` =>
  `after a PATCH of ${field}`;
