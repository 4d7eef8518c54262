/** Characters that HTML, SQL, URLs and format strings treat specially. Names and notes come back with them as sent. */
export const MARKUP = `<b>Acı</b> & az "tuz" 'yok' \\ %20 +`;
