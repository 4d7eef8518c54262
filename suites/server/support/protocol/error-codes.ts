/**
 * The codes of a 401 from operations other than the token endpoint (specification, "Authentication" 4). Which
 * code applies when is unspecified (OPEN-178).
 */
export const TOKEN_REFUSALS = ["KIMLIK_YOK", "SURESI_DOLDU", "GECERSIZ", "OTURUM_GECERSIZ"] as const;
