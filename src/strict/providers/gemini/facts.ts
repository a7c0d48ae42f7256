import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'ge-call-position',
    rule: 'A model turn with functionCall must come right after a user turn or a functionResponse turn, so it is never the first, and never follows another turn of the model. The fragments of an answer that was streamed are one turn: Google’s own client sends them back as they came.',
    words:
      '`Please ensure that function call turn comes immediately after a user turn or after a function response turn.`',
    evidence: 'S',
    sources: [
      'https://github.com/continuedev/continue/issues/11164',
      'https://github.com/google-gemini/gemini-cli/issues/11814',
    ],
  },
  {
    id: 'ge-response-position',
    rule: 'A functionResponse turn must come right after a functionCall turn.',
    words: '`Please ensure that function response turn comes immediately after a function call turn.`',
    evidence: 'S',
    sources: ['https://github.com/google-gemini/gemini-cli/issues/14183'],
  },
  {
    id: 'ge-count',
    rule: 'Number of functionResponse parts in the response turn = number of functionCall parts in the call turn. Matching is by count/position; ids optional.',
    words:
      '`Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.`',
    evidence: 'S',
    sources: [
      'https://github.com/google-gemini/gemini-cli/issues/16415',
      'https://github.com/google-gemini/gemini-cli/issues/17208',
    ],
  },
  {
    id: 'ge-alternate',
    rule: 'Consecutive same-role contents (older models / multi-turn check).',
    words: '`Please ensure that multiturn requests alternate between user and model.`',
    evidence: 'T',
    sources: [],
  },
  {
    id: 'ge-end',
    rule: 'Must end with user or function response.',
    words: '`Please ensure that multiturn requests ends with a user role or a function response.` (sic "ends")',
    evidence: 'T',
    sources: [],
  },
  {
    id: 'ge-start',
    rule: 'Must start with user.',
    words: '`Please ensure that multiturn requests start with a user turn.`',
    evidence: 'I',
    sources: [],
  },
  {
    id: 'ge-empty',
    rule: 'contents required.',
    words:
      '`* GenerateContentRequest.contents: contents is not specified\\n` ; Vertex: `Unable to submit request because at least one contents field is required. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini`',
    evidence: 'S',
    sources: ['https://github.com/crewAIInc/crewAI/issues/3277'],
  },
  {
    id: 'ge-empty-parts',
    rule: 'parts must not be empty (AI Studio).',
    words: '`* GenerateContentRequest.contents[{N}].parts: contents.parts must not be empty.\\n`',
    evidence: 'S',
    sources: ['https://github.com/egoist/chatwise-releases/issues/250'],
  },
  {
    id: 'ge-empty-parts-vertex',
    rule: 'Same on Vertex.',
    words:
      '`Unable to submit request because it must include at least one parts field, which describes the prompt input. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini`',
    evidence: 'S',
    sources: [
      'https://github.com/vercel/ai/issues/4859',
      'https://github.com/langchain-ai/langchain-google/issues/903',
      'https://github.com/QuantumNous/new-api/pull/1260',
    ],
  },
  {
    id: 'ge-empty-part',
    rule: 'A part must have content. An empty text is rejected on Vertex; on AI Studio it is accepted according to Google (last source), but not according to clients.',
    words:
      "`* GenerateContentRequest.contents[{N}].parts[{K}].data: required oneof field 'data' must have one initialized field\\n` (a line for each; other faults of fields join them) ; Vertex: `Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini`",
    evidence: 'S',
    sources: [
      'https://github.com/boldsoftware/sketch/issues/68',
      'https://github.com/router-for-me/CLIProxyAPI/issues/1293',
      'https://github.com/QuantumNous/new-api/issues/632',
      'https://github.com/Portkey-AI/gateway/issues/462',
      'https://github.com/google-gemini/deprecated-generative-ai-python/issues/727',
    ],
  },
  {
    id: 'ge-role',
    rule: 'role must be user or model (Vertex requires it to be present; AI Studio defaults a missing role; `function` accepted historically on AI Studio).',
    words: '`Please use a valid role: user, model.`',
    evidence: 'S',
    sources: [
      'https://github.com/langchain-ai/langchain-google/issues/1059',
      'https://github.com/langchain-ai/langchainjs/pull/10400',
    ],
  },
  {
    id: 'ge-system-role',
    rule: 'system content inside contents.',
    words: '`Content with system role is not supported.` + ge-role text',
    evidence: 'T',
    sources: [],
  },
  {
    id: 'ge-fr-name',
    rule: 'functionResponse.name non-empty. Behind the OpenAI API it is the name of the call, so a result without a call has none.',
    words: '`* GenerateContentRequest.contents[{N}].parts[{K}].function_response.name: Name cannot be empty.\\n`',
    evidence: 'S',
    sources: ['https://github.com/ollama/ollama/issues/14214'],
  },
  {
    id: 'ge-fc-name',
    rule: 'functionCall.name non-empty.',
    words: '`* GenerateContentRequest.contents[{N}].parts[{K}].function_call.name: Name cannot be empty.\\n`',
    evidence: 'S',
    sources: ['https://github.com/smallmain/vscode-unify-chat-provider/issues/48'],
  },
  {
    id: 'ge-struct',
    rule: 'functionResponse.response and functionCall.args are objects.',
    words:
      "`Invalid value at 'contents[{N}].parts[{K}].function_response.response' (type.googleapis.com/google.protobuf.Struct), {value}` ; a list: `Invalid JSON payload received. Unknown name \"response\" at 'contents[{N}].parts[{K}].function_response': Proto field is not repeating, cannot start list.`",
    evidence: 'S',
    sources: ['https://github.com/vercel/ai/pull/3589', 'https://github.com/randombet/bodhi_realtime_agent/issues/10'],
  },
  {
    id: 'ge-sig-missing',
    rule: "Gemini 3+: each step's FIRST functionCall of the current turn must carry its thoughtSignature (parallel calls: only the first; sequential steps: every one). Models for images do not insist.",
    words:
      'AI Studio: ``Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:{name}` , position {P}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`` (space before the comma is real)',
    evidence: 'S',
    sources: [
      'https://github.com/nearai/ironclaw/issues/1510',
      'https://github.com/lbjlaq/Antigravity-Manager/issues/139',
      'https://github.com/vercel/ai/pull/17649',
      'https://ai.google.dev/gemini-api/docs/thought-signatures',
    ],
  },
  {
    id: 'ge-sig-missing-vertex',
    rule: 'Vertex wording.',
    words:
      '``Unable to submit request because function call `default_api:{name}` in the {N}. content block is missing a `thought_signature`. Learn more: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures`` (N 1-based)',
    evidence: 'S',
    sources: [
      'https://github.com/google-gemini/gemini-cli/issues/14437',
      'https://github.com/GewoonJaap/gemini-cli-openai/issues/156',
    ],
  },
  {
    id: 'ge-sig-invalid',
    rule: 'signature from other model/route.',
    words: '`Invalid thought signature.` / `Corrupted thought signature.`',
    evidence: 'T',
    sources: ['https://docs.apiyi.com/en/faq/gemini-thought-signature-missing'],
  },
  {
    id: 'ge-sig-corrupted',
    rule: 'A signature must be one that was made for this key and model.',
    words: '`Corrupted thought signature.`',
    evidence: 'S',
    sources: [
      'https://github.com/google-gemini/gemini-cli/issues/13467',
      'https://github.com/charmbracelet/crush/issues/1698',
      'https://github.com/massgen/MassGen/issues/665',
    ],
  },
  {
    id: 'ge-sig-corrupted-vertex',
    rule: 'The same on Vertex AI.',
    words:
      '`Unable to submit request because Thought signature is not valid.. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini`',
    evidence: 'S',
    sources: ['https://github.com/decolua/9router/issues/301'],
  },
  {
    id: 'ge-open',
    rule: 'Duplicate functionResponse ids, unknown id/name mismatch, text mixed with fr parts: no specific error found.',
    evidence: 'I',
    sources: [],
  },
]
