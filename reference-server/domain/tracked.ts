/** The data of the customer's tracking page. Times are ISO 8601 on the integrator's clock. */

/** First name only; the position only while the courier has the package. */
export interface TrackedCourier {
  name: string;
  lat?: number | null;
  lng?: number | null;
  location_at?: string | null;
  heading?: number | null;
}

export interface TrackedDelivery {
  status: string;
  /** `lat` and `lng` are both present or both null. */
  restaurant: { name: string; lat?: number; lng?: number };
  courier: TrackedCourier | null;
  scheduled_for: string | null;
  eta_pickup_at: string | null;
  eta_dropoff_at: string | null;
  picked_up_at: string | null;
  delivered_at: string | null;
  cancelled_at: string | null;
  returned_at: string | null;
  updated_at: string;
}
