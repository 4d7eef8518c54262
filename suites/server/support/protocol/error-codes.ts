/**
 * The codes of a 401 outside the token endpoint (Authentication 4). The meaning of each is unspecified
 * (OPEN-178).
 */
export const TOKEN_REFUSALS = ["KIMLIK_YOK", "SURESI_DOLDU", "GECERSIZ", "OTURUM_GECERSIZ"] as const;
