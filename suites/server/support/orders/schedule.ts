/** Fields that a PATCH may change without an effect on the schedule. */
export const FIELDS_BESIDE_THE_SCHEDULE = ["notes", "ready_at", "customer", "dropoff"] as const;
export type FieldBesideTheSchedule = (typeof FIELDS_BESIDE_THE_SCHEDULE)[number];

/** The name of the case with a PATCH of this field. */
export const afterPatchOf = (field: FieldBesideTheSchedule): `after a PATCH of ${FieldBesideTheSchedule}` =>
  `after a PATCH of ${field}`;

/** The name of the case whose scheduled_for has the offset +03:00. */
export const SENT_WITH_AN_OFFSET = "a delivery whose scheduled_for was sent with +03:00";
