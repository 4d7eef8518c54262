/** What an operation takes and gives back, as types made from the generated ones. */

/** Generated types say `never` where an operation takes nothing. */
type Given<T> = [T] extends [never] ? Record<never, never> : NonNullable<T>;

type PathOf<Op> = Op extends { parameters: { path: infer P } } ? P : Record<never, never>;
type QueryOf<Op> = Op extends { parameters: { query?: infer Q } } ? Given<Q> : Record<never, never>;
type HeadersOf<Op> = Op extends { parameters: { header: infer H } } ? H : Record<never, never>;

/** JSON as the document types it; bytes for everything else. */
type ContentOf<Content> = Content extends { "application/json": infer Body } ? Body : Buffer;
/** The media types of the body that the document has. */
type TypeOf<Op> = Op extends { requestBody: { content: infer Content } } ? keyof Content & string : undefined;
type BodyOf<Op> = Op extends { requestBody: { content: infer Content } }
  ? ContentOf<Content>
  : Op extends { requestBody?: { content: infer Content } }
    ? ContentOf<Content> | undefined
    : undefined;

/** A request that was checked against its operation. */
export interface Input<Op> {
  path: PathOf<Op>;
  query: QueryOf<Op>;
  headers: HeadersOf<Op>;
  /** The body's declared type, where there must be one. */
  mediaType: TypeOf<Op>;
  body: BodyOf<Op>;
}

/** The same before it was checked. */
export interface RawInput {
  path: unknown;
  query: unknown;
  headers: unknown;
  mediaType: unknown;
  body: unknown;
}

/** What is sent: JSON, or bytes with their type. */
export interface AnyReply {
  status: number;
  body?: unknown;
  type?: string;
}

/** 503 is how a service that is up says that something it needs is not. */
type Success = 200 | 201 | 202 | 204 | 503;
type ReplyWith<Status, Response> = Response extends { content: infer Content }
  ? Content extends { "application/json": infer Body }
    ? { status: Status; body: Body }
    : { status: Status; body: Buffer; type: keyof Content & string }
  : { status: Status };

/** One of the answers that the document has for success; refusals are thrown. */
type Reply<Op> = Op extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: ReplyWith<Status, Responses[Status]> }[keyof Responses & Success]
  : never;

/** An operation: takes a checked request with its context, gives a reply. */
export type Operation<Op, Context> = (call: Input<Op> & Context) => Promise<AnyReply & Reply<Op>>;

/** Operations by their id; what isn't there isn't offered. */
export type Operations<Api, Context> = { [Id in keyof Api]?: Operation<Api[Id], Context> };
