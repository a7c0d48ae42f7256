import type { RejectionKind } from './rejection.ts'

/** What a kind of rejection means, for people. */
export interface KindPage {
  /** Why providers reject it. */
  readonly why: string
  /** The smallest change that resolves it. */
  readonly repair: string
}

export const rejectionKinds: Readonly<Record<RejectionKind, KindPage>> = {
  history: {
    why: 'The provider does not accept the history: calls and results do not pair, or messages are in the wrong order.',
    repair: 'It is repaired by the rules for the provider that rejected it.',
  },
  'not-healable': {
    why: 'It is about the account, the load, a policy, or a value that the caller chose.',
    repair: "Nothing. The program gets the provider's error unchanged, and the request is not retried.",
  },
  'reasoning-signature': {
    why: 'A thinking block was signed by another model or account, was changed, or is not where the provider expects it.',
    repair:
      'The named block is removed, and those that fail with it. Text, calls and results stay; thinking is switched off for the request if the open step has lost it.',
  },
  'reasoning-encrypted': {
    why: 'Encrypted reasoning was made for another account, organization or model.',
    repair: 'The named item and all reasoning are removed, and the ids that are bound to them.',
  },
  'thought-signature': {
    why: 'A thought signature of Gemini is missing, or is from another key or model.',
    repair: 'Signatures are removed; calls of the running turn get the dummy signature that Google documents.',
  },
  'server-state': {
    why: 'The request refers to something that the provider no longer has: a response, an item, a file or a cache.',
    repair:
      'The reference is removed if the request contains the whole conversation; a file becomes a text. Otherwise the answer is passed on.',
  },
  'foreign-field': {
    why: 'Messages, tools or the request have a field of another provider, or lack a field that this provider requires.',
    repair:
      'The named field is removed in all messages, blocks or tools alike, and with it what else no API has, such as an id or a time that a program stores; a required one is added empty.',
  },
  'image-pixels': {
    why: 'An image has more pixels, or fewer, than the provider accepts. The limit is lower when there are many images.',
    repair:
      'The images above the limit become texts, or the oldest images do, until so few are left that the higher limit applies: whichever changes fewer images.',
  },
  'image-bytes': { why: 'An image is too large.', repair: 'It is replaced by a text that describes it.' },
  'image-count': { why: 'There are too many images or documents.', repair: 'The oldest become texts.' },
  'image-unreadable': {
    why: 'The data is not an image: empty, cut off, a web page, or not base64.',
    repair: 'Images whose headers show it become texts; a data: prefix inside base64 is removed.',
  },
  'image-type': {
    why: 'The declared type of an image is not the one that its first bytes show, or one that the provider does not accept.',
    repair: 'The declared type is corrected; an image of another type becomes a text.',
  },
  'image-url': { why: 'The provider cannot load an image from its URL.', repair: 'It becomes a text with the URL.' },
  'image-unsupported': { why: 'The model does not accept media of this kind.', repair: 'All of them become texts.' },
  'image-role': {
    why: 'Images are in a message whose role cannot have them.',
    repair: 'They move to a user message after the results.',
  },
  document: {
    why: 'A document cannot be read, has too many pages, shares its name with another, or has no text next to it.',
    repair: 'It becomes a text, is renamed, or gets a text next to it.',
  },
  'request-bytes': {
    why: 'The request, or one string in it, is too long.',
    repair: 'The oldest media become texts, then old results are cleared; a string that is named is cut.',
  },
  'context-overflow': {
    why: 'The history does not fit into the context window of the model.',
    repair:
      'The oldest results are cleared, then whole turns removed, to 90 % of the limit in the error. The system prompt, the first turn and the last one stay.',
  },
  'output-budget': {
    why: 'The requested answer does not fit into the rest of the context window, or is longer than the model can write.',
    repair: 'max_tokens is lowered. The history is shortened only if nothing is left for an answer.',
  },
  'tool-reference': {
    why: 'A result refers to a tool that is not declared, or the provider does not know such references.',
    repair: 'The reference becomes a text.',
  },
  'tool-name': {
    why: 'The name of a tool has characters that the provider does not accept, or is too long.',
    repair: 'It is renamed in the tools and in the history; the answer has the original name again.',
  },
  'tool-count': {
    why: 'There are too many tools, calls or items, or a tool is declared twice.',
    repair:
      'Tools that were never called are left out, a step is split, the oldest turns are removed, the first declaration counts.',
  },
  'tool-id': { why: 'The id of a call is too long.', repair: 'It is shortened in the call and in its result.' },
  'tool-schema': {
    why: 'The schema of a tool is written in a way that the provider cannot read.',
    repair: 'References are expanded; a tool of an unknown type is left out.',
  },
  'cache-control': {
    why: 'There are more cache marks than the provider accepts, or one is where it may not be.',
    repair: 'The oldest marks are removed. No text changes.',
  },
  'empty-text': { why: 'A text block or a message is empty.', repair: 'It is removed.' },
  unicode: {
    why: 'A string has a lone surrogate, most often where a text was cut.',
    repair: 'It becomes U+FFFD. If all strings are well-formed, nothing is changed.',
  },
  role: {
    why: 'The model does not know a role.',
    repair: 'It becomes the equivalent role: system, developer or user.',
  },
  'part-type': {
    why: 'A part of a message is in the format of another provider, or is null.',
    repair: 'It is converted; reasoning, which the format has no part for, is removed.',
  },
  parameter: {
    why: 'The model does not accept a parameter, or its value.',
    repair: 'Only the named parameter is removed, renamed as the error says, or set to the nearest value.',
  },
  prefill: {
    why: 'The history ends with an assistant message, or with white space in one.',
    repair: 'A user message that asks to continue is added; the white space is removed.',
  },
  'server-tool': {
    why: 'Results of a search that the provider ran were made for another account.',
    repair: 'The search and its results become a text with the query and the URLs.',
  },
}
