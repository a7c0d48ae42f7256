import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure, StrictRequest } from '../../provider.ts'

/** A rejection of LM Studio. The stream has begun before the template is rendered, so it ends with the error. */
export function lmStudioRejection(
  { message }: RejectionReason,
  { stream }: StrictRequest,
): ProviderFailure & { inStream?: true } {
  const error = `Error rendering prompt with jinja template: "${message}".\n\n${advice}`
  return stream
    ? { status: 400, body: { error: { message: error } }, inStream: true }
    : { status: 400, body: { error } }
}

const advice =
  "This is usually an issue with the model's prompt template. If you are using a popular model, you can try to search the model under lmstudio-community, which will have fixed prompt templates. If you cannot find one, you are welcome to post this issue to our discord or issue tracker on GitHub. Alternatively, if you know how to write jinja templates, you can override the prompt template in My Models > model settings > Prompt Template."
