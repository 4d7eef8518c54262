/** The input and output types of operations, derived from the generated types. */

/** The type of an input. Generated types use `never` for an operation without the input. */
type Given<T> = [T] extends [never] ? Record<never, never> : NonNullable<T>;

type PathOf<Op> = Op extends { parameters: { path: infer P } } ? P : Record<never, never>;
type QueryOf<Op> = Op extends { parameters: { query?: infer Q } } ? Given<Q> : Record<never, never>;
type HeadersOf<Op> = Op extends { parameters: { header: infer H } } ? H : Record<never, never>;

/** The document's type for JSON, and bytes for other media types. */
type ContentOf<Content> = Content extends { "application/json": infer Body } ? Body : Buffer;
/** The document's media types for the body. */
type TypeOf<Op> = Op extends { requestBody: { content: infer Content } } ? keyof Content & string : undefined;
type BodyOf<Op> = Op extends { requestBody: { content: infer Content } }
  ? ContentOf<Content>
  : Op extends { requestBody?: { content: infer Content } }
    ? ContentOf<Content> | undefined
    : undefined;

/** A validated request. */
export interface Input<Op> {
  path: PathOf<Op>;
  query: QueryOf<Op>;
  headers: HeadersOf<Op>;
  /** The body's declared type, if a body is required. */
  mediaType: TypeOf<Op>;
  body: BodyOf<Op>;
}

/** A request before validation. */
export interface RawInput {
  path: unknown;
  query: unknown;
  headers: unknown;
  mediaType: unknown;
  body: unknown;
}

/** A response: JSON, or bytes with their type. */
export interface AnyReply {
  status: number;
  body?: unknown;
  type?: string;
}

/** Includes 503, which the health check returns if the database or Redis is unavailable. */
type Success = 200 | 201 | 202 | 204 | 503;
type ReplyWith<Status, Response> = Response extends { content: infer Content }
  ? Content extends { "application/json": infer Body }
    ? { status: Status; body: Body }
    : { status: Status; body: Buffer; type: keyof Content & string }
  : { status: Status };

/** One of the document's success responses. Errors are thrown. */
type Reply<Op> = Op extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: ReplyWith<Status, Responses[Status]> }[keyof Responses & Success]
  : never;

/** An operation: maps a validated request and its context to a response. */
export type Operation<Op, Context> = (call: Input<Op> & Context) => Promise<AnyReply & Reply<Op>>;

/** Operations by id. A server returns 404 for missing ones. */
export type Operations<Api, Context> = { [Id in keyof Api]?: Operation<Api[Id], Context> };
