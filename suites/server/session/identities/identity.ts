import type { Exchange } from "../../../core/exchange.ts";
import { NotTestable } from "../../../core/grading/failures/failure.ts";
import type { HeaderProfile } from "../../../core/http/header-profiles.ts";
import type { Redactor } from "../../../core/text/redact.ts";
import { CreatedResources } from "../created-resources.ts";
import type { Answer } from "../http/answer.ts";
import { Api, type CallOptions } from "../http/api.ts";
import type { Transport } from "../http/transport.ts";
import { RequestBudget } from "../limits/request-budget.ts";
import type { SourceAddress, SourceAddresses } from "../limits/source-addresses.ts";
import type { NotifyOfWait } from "../limits/wait-notices.ts";
import { IntegratorClock } from "./integrator-clock.ts";
import type { SignInCircuitBreaker } from "./sign-in.ts";

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** The service's limit per integrator is 1,200 a minute. The margin is for requests that the suite doesn't see. */
export const IDENTITY_LIMIT = 1150;
/** Tokens are valid for 1,800 s; one is renewed when less than this is left. */
const RENEWAL_MS = 120_000;
const MAX_REFUSALS = 3;

export interface IdentityOptions {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly addresses: SourceAddresses;
  readonly redact: Redactor;
  readonly waiting: NotifyOfWait;
  readonly signIn: SignInCircuitBreaker;
}

/** Gets a token for an integrator without the token endpoint. */
export type TokenIssuer = () => Promise<{ readonly access_token: string; readonly expires_in: number }>;

interface IssuedToken {
  readonly value: string;
  /** On the integrator's clock, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** An integrator that checks use in turn. Limits, clocks and records are per integrator. */
export class Identity {
  readonly budget: RequestBudget;
  readonly clock = new IntegratorClock();
  /** Resources that this integrator has created and not removed. */
  readonly created = new CreatedResources();
  #address: SourceAddress;
  readonly #client: HeaderProfile | undefined;
  #token: Promise<IssuedToken> | undefined;
  /** The token in use, as far as one has come. */
  #currentToken: IssuedToken | undefined;
  readonly #tokens = new Set<string>();
  #refusals = 0;
  /** True if a check has left the integrator unfit for others: closed, or at its limit. */
  isRetired = false;

  readonly credentials: Credentials;
  private readonly parts: IdentityOptions;
  /** Undefined for an integrator that uses the token endpoint. */
  #issueToken: TokenIssuer | undefined;
  readonly #isOpen: () => boolean;
  #isAccepted = false;

  /**
   * @param own the integrator's own parts: its way of getting tokens, its header profile, and whether the control
   * interface has created it and not closed it
   */
  constructor(
    credentials: Credentials,
    parts: IdentityOptions,
    {
      issueToken,
      client,
      isOpen = () => false,
    }: {
      readonly issueToken?: TokenIssuer | undefined;
      readonly client?: HeaderProfile | undefined;
      readonly isOpen?: (() => boolean) | undefined;
    } = {},
  ) {
    this.credentials = credentials;
    this.#issueToken = issueToken;
    this.#isOpen = isOpen;
    this.parts = parts;
    this.budget = new RequestBudget("the target's limit per integrator", IDENTITY_LIMIT, parts.waiting);
    parts.redact.add(credentials.client_secret);
    this.#client = client;
    this.#address = parts.addresses.fresh(client);
  }

  /** The integrator's present time at the target, in milliseconds since 1970. */
  now(): number {
    return this.clock.now();
  }

  /** True if a check can have the integrator without waiting for its limit, as far as checks go. */
  get hasCapacity(): boolean {
    return this.budget.left > IDENTITY_LIMIT / 2;
  }

  /** True if its limit has room for a few dozen requests. */
  get hasRoomForPreparations(): boolean {
    return this.budget.left > 50;
  }

  /**
   * True if it is at its limit for a while: a check that exhausts limits can use it. It needs a store, because it can't
   * link one any more.
   */
  get isAtLimit(): boolean {
    return this.budget.left <= 0 && this.created.stores.size > 0;
  }

  /**
   * The access token, reused for its lifetime as the specification requires of clients. A target that issues none gets
   * a few requests and then no more: every check of this integrator fails with its last answer.
   */
  async token(): Promise<string> {
    const held = this.#token;
    const current = await held?.catch((error: unknown) => {
      if (this.#refusals >= MAX_REFUSALS) throw error;
    });
    if (current && this.#isFresh(current)) return current.value;
    if (this.#token === held) this.#token = this.#renewToken();
    const renewed = this.#token ?? this.#renewToken();
    return (await renewed).value;
  }

  /** From now on its tokens come from the token endpoint, as those of any integrator. */
  signInItself(): void {
    if (this.#issueToken === undefined) return;
    this.#issueToken = undefined;
    this.discardToken();
  }

  /** True if its tokens count towards the limit of its source address. */
  get signsInItself(): boolean {
    return this.#issueToken === undefined;
  }

  /** True if the target ever issued the token to this integrator. */
  hasIssued = (token: string): boolean => this.#tokens.has(token);

  /** Makes the next request get another token. */
  discardToken(): void {
    this.#token = undefined;
  }

  #isFresh({ expiresAt }: IssuedToken): boolean {
    return expiresAt - this.now() > RENEWAL_MS;
  }

  /** The token that it holds and that is good for a while. */
  get freshToken(): string | undefined {
    return this.isSignedIn ? this.#currentToken?.value : undefined;
  }

  /** The token that it was given last, until its time is over; a target may have ended it before. */
  get validToken(): string | undefined {
    const held = this.#currentToken;
    return held !== undefined && held.expiresAt > this.now() ? held.value : undefined;
  }

  /** True if it holds a token that is valid for a while. */
  get isSignedIn(): boolean {
    return this.#currentToken !== undefined && this.#isFresh(this.#currentToken);
  }

  /**
   * Requests a token and uses it from now on: a target may end the older one (OPEN-101).
   * @param anonymous the client that requests it; the integrator itself by default
   */
  async obtainToken(
    anonymous = this.anonymous(() => {}),
    options?: CallOptions,
  ): Promise<Answer<"obtainToken">> {
    const { answer, token } = await this.#requestToken(anonymous, options);
    if (token) this.#token = Promise.resolve(token);
    return answer;
  }

  /**
   * Another token, for a check that needs only a working one. It is in use from now on.
   * @param obtain gets one from the token endpoint
   */
  async anotherToken(obtain: () => Promise<Answer<"obtainToken">>): Promise<string> {
    if (this.#issueToken === undefined) return (await obtain()).body(200).access_token;
    const token = await this.#issued(this.#issueToken);
    this.#token = Promise.resolve(token);
    return token.value;
  }

  async #issued(issueToken: TokenIssuer): Promise<IssuedToken> {
    const askedAt = this.now();
    return this.#keep(await issueToken(), askedAt);
  }

  async #renewToken(): Promise<IssuedToken> {
    if (this.#issueToken !== undefined) return this.#issued(this.#issueToken);
    return this.parts.signIn.run(async () => {
      const { answer, token } = await this.#requestToken(this.anonymous(() => {}));
      this.#refusals += 1;
      if (!token) {
        answer.body(200);
        return answer.fail("obtainToken gave no access_token");
      }
      this.#refusals = 0;
      return token;
    });
  }

  async #requestToken(
    anonymous: Api,
    options?: CallOptions,
  ): Promise<{ readonly answer: Answer<"obtainToken">; readonly token: IssuedToken | undefined }> {
    const askedAt = this.now();
    const answer = await anonymous.call(
      "obtainToken",
      { body: { grant_type: "client_credentials", ...this.credentials } },
      options,
    );
    if (answer.status === 401 && !this.#isAccepted && this.#isOpen()) {
      throw new NotTestable(
        "the control interface's createIntegrator gave credentials that the token endpoint refuses with 401",
      );
    }
    if (answer.status !== 200) return { answer, token: undefined };
    this.#isAccepted = true;
    const { access_token, expires_in } = answer.body(200);
    if (typeof access_token !== "string") return { answer, token: undefined };
    return { answer, token: this.#keep({ access_token, expires_in }, askedAt) };
  }

  #keep({ access_token, expires_in }: Awaited<ReturnType<TokenIssuer>>, askedAt: number): IssuedToken {
    this.parts.redact.learn(access_token);
    this.#tokens.add(access_token);
    this.#currentToken = { value: access_token, expiresAt: askedAt + expires_in * 1000 };
    return this.#currentToken;
  }

  /**
   * The source address of its requests. If there are several, it changes once this one has no new tokens left for the
   * minute. A run with few jobs has few integrators, and one of them may run all checks of tokens.
   */
  get address(): SourceAddress {
    if (this.parts.addresses.several && this.#address.tokens.left <= 0) {
      this.#address = this.parts.addresses.fresh(this.#client);
    }
    return this.#address;
  }

  /** The API as this integrator sees it, each exchange being given to `record`. */
  api(record: (exchange: Exchange) => void): Api {
    const { transport, baseUrl } = this.parts;
    const { budget, created } = this;
    return new Api({
      transport,
      baseUrl,
      address: () => this.address,
      record,
      budget,
      created,
      clockOffsetMs: () => this.clock.offsetMs,
      token: () => this.token(),
    });
  }

  /** The API without credentials, from this integrator's address. */
  anonymous(record: (exchange: Exchange) => void): Api {
    const { transport, baseUrl } = this.parts;
    return new Api({ transport, baseUrl, address: () => this.address, record });
  }
}
