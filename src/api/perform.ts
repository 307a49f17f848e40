/** The stages of a request, in their order. The same line serves HTTP, pages, hooks, tools of agents and repeated reads. */
import { deprecationHeaders } from "./deprecation.ts";
import { withinDeadline } from "./limits/deadline.ts";
import type { Answer, Perform, Request } from "./request.ts";
import { authenticate as byBearer } from "./stages/authenticate.ts";
import type { CallOperation } from "./stages/call.ts";
import type { Limits } from "./stages/limit.ts";
import { read } from "./stages/read.ts";
import { respond } from "./stages/respond.ts";
import type { Validate } from "./stages/validate.ts";

type Parts = {
  limits: Limits;
  validate: Validate;
  call: CallOperation;
  /** Includes /api/v1, without a trailing slash. */
  apiUrl: string;
};

export function makePerform({ limits, validate, call, apiUrl }: Parts): Perform {
  return async (given, authenticate = byBearer) => {
    const request = { ...given }; // another cell may be asked with the same request
    const problem = await authenticate(request);
    if (problem) return limits.refuse(request, problem);
    const refused = (await limits.admit(request)) ?? (await read(request)) ?? (await limits.count(request));
    const answer = await limits.settle(request, refused ?? answerTo(request));
    const { deprecated } = request.operation;
    if (deprecated) Object.assign(answer.headers, deprecationHeaders(deprecated));
    return answer;
  };

  async function answerTo(request: Request): Promise<Answer> {
    validate(request);
    const result = await withinDeadline(request, (until) => call(request, until));
    return respond(request, result, apiUrl);
  }
}
