import type { RejectionEntry } from '../rejection.ts'

/**
 * What all messages about one thing have in common, whichever provider words them. They are tried last, and only with the statuses that
 * providers use for a request that they reject: a limit of an account is worded in the same way.
 */
const entries: readonly RejectionEntry[] = [
  {
    id: 'general-image-count',
    kind: 'image-count',
    provider: 'any',
    status: 400,
    words:
      /(too many images|number of images|image count)\b.{0,80}?(maximum|max|up to|at most|limit|exceeds?)[^\d.]{0,60}(?<limit>\d{1,4})\b(?! ?[MKG]i?B)/,
    repair: 'image-count',
    source: 'mistralai/platform-docs-public#149',
  },
  {
    id: 'general-image-count-limit',
    kind: 'image-count',
    provider: 'any',
    status: 400,
    words:
      /(at most|up to|maximum of|more than|limited to|最多支持) ?(?<limit>\d{1,4}) ?(images?\b|image\(s\)|张|个图)/,
    repair: 'image-count',
    source: 'microsoft/vscode#303825',
  },
  {
    id: 'general-image-side',
    kind: 'image-pixels',
    provider: 'any',
    status: 400,
    words:
      /image[^.]{0,40}(dimensions?|width|height|sides?|resolution)[^.]{0,60}(exceeds?|maximum|max|larger than|greater than|at most|up to|limit)[^.\d]{0,40}(?<limit>\d{3,5})( ?x ?\d{3,5})?\b/,
    repair: 'image-side',
    source: 'anthropics/claude-code#4778',
  },
  {
    id: 'general-image-area',
    kind: 'image-pixels',
    provider: 'any',
    status: 400,
    words:
      /image.{0,120}(maximum|max|at most|up to|limit|exceeds?|larger than|greater than)[^\d.]{0,40}(?<limit>\d{6,9}) (total )?pixels/,
    repair: 'image-area',
    source: 'https://console.groq.com/docs/vision',
  },
  {
    id: 'general-image-small',
    kind: 'image-pixels',
    provider: 'any',
    status: 400,
    words:
      /(image|width|height)[^.]{0,60}(at least|minimum|too small|(?<!(must|should) be )(smaller|less) than)[^.\d]{0,40}(?<limit>\d{1,3})( ?[x\u00d7] ?\d{1,3})? ?(px|pixels)\b/,
    repair: 'image-least',
    source: 'Azure-Samples/cognitive-services-quickstart-code#98',
  },
  {
    id: 'general-image-bytes',
    kind: 'image-bytes',
    provider: 'any',
    status: 400,
    words:
      /image[^.]{0,60}(too large|exceeds?|larger than|over|greater than|maximum)(\. )?[^.]{0,60}\d{1,12}(\.\d{1,6})? ?(bytes|[KM]i?B)\b/,
    repair: 'image-unit',
    source: 'earendil-works/pi#120',
  },
  {
    id: 'general-image',
    kind: 'image-unreadable',
    provider: 'any',
    status: 400,
    words:
      /(image|picture)( data| file| content)? (is|was|appears to be) (invalid|not valid|not a valid image|corrupt|corrupted|truncated|unreadable|malformed)|(corrupt|corrupted|truncated|malformed|undecodable) image/,
    repair: 'image-unreadable',
    source: 'openai/codex#10594',
  },
  {
    id: 'general-vision',
    kind: 'image-unsupported',
    provider: 'any',
    status: 400,
    words:
      /(?<type>image|vision|multimodal|video|audio|document)s?( inputs?| content| understanding| recognition)? (is|are) not supported (by|for|with|on|in) ((this|the) (\S{1,40} )?(model|endpoint|server|deployment)|model \S)|model \S{1,80} (is )?not supported for vision|(does not|doesnt) support (vision|image content|multimodal)\b(?! (generation|search|output|edit))|不支持(图片|图像|视觉|多模态)(?!生成)|(this|the) (model|endpoint|deployment)[^.]{0,60}(only (supports?|accepts?|takes?) text|is text[- ]only|cannot (process|read|handle) images?|does not (accept|take|handle|have) (images?|vision))/,
    repair: 'media-kind',
    source: 'lobehub/lobehub',
  },
  {
    id: 'general-tool-count',
    kind: 'tool-count',
    provider: 'any',
    status: 400,
    words:
      /(at most|up to|maximum of|more than|limited to) (?<limit>\d{2,4}) (tools|functions|function declarations)\b/,
    repair: 'tool-count',
    source: 'anomalyco/opencode#4909',
  },
  {
    id: 'general-tool-count-limit',
    kind: 'tool-count',
    provider: 'any',
    status: 400,
    words:
      /(too many|number of) (tools|functions|function declarations)\b.{0,60}?(maximum|max|up to|at most|limit|exceeds?)[^\d.]{0,40}(?<limit>\d{2,4})\b/,
    repair: 'tool-count',
    source: 'anomalyco/opencode#4909',
  },
  {
    id: 'general-tool-twice',
    kind: 'tool-count',
    provider: 'any',
    status: 400,
    words: /duplicate (tool|function) (names?|declarations?|definitions?)|(tool|function) names? must be unique/,
    repair: 'tool-twice',
    source: 'anthropics/claude-code',
  },
  {
    id: 'general-output-cap',
    kind: 'output-budget',
    provider: 'any',
    status: 400,
    words:
      /max_(completion_|output_|new_)?tokens[^.]{0,60}(less than or equal to|at most|cannot exceed|must not exceed|maximum( value)? (is|of)|exceeds? (the )?(models )?(maximum|limit)( of)?|<=)[^.\d]{0,30}(?<limit>\d{2,9})\b/,
    repair: 'output-cap',
    source: 'anomalyco/opencode#1000',
  },
  {
    id: 'general-overflow-numbers',
    kind: 'context-overflow',
    provider: 'any',
    status: 400,
    words:
      /(prompt|input|request|messages?|conversation|context)[^.]{0,60}?(?<used>\d[\d,]{2,12})( input| prompt)?( tokens?)?\)?[^.\d]{0,60}(exceeds?|exceeded|above|over|greater than|larger than|longer than|>)[^.\d]{0,60}?\b(context|tokens?|window|length)\b[^.\d]{0,40}(?<limit>\d[\d,]{2,12})/,
    repair: 'overflow',
    source: 'lobehub/lobehub',
  },
  {
    id: 'general-overflow',
    kind: 'context-overflow',
    provider: 'any',
    status: 400,
    words:
      /(exceeds?|exceeded|exceeding|beyond|too (long|large) for|larger than|longer than) (the |this |its )?(models? )?(maximum |max |available |allowed |supported )?(context|input token|prompt token|token) ?(length|window|limit|size|budget)|(context|prompt|input|conversation|history) (is |was )?too (long|large) (for|to)|context[ _](length|window)[ _](exceeded|limit|overflow)|(input|prompt|context) token limit|maximum (input|prompt) (tokens?|length)/,
    repair: 'overflow',
    source: 'lobehub/lobehub',
  },
  {
    id: 'general-empty',
    kind: 'empty-text',
    provider: 'any',
    status: 400,
    words:
      /(content|text)( field| blocks?| parts?)? (is|are|was) (empty|blank)|(must|should) (have|contain) non-empty (content|text)|non-empty content is required/,
    repair: 'empty-text',
    source: 'diegosouzapw/OmniRoute#786',
  },
  {
    id: 'general-unicode',
    kind: 'unicode',
    provider: 'any',
    status: 400,
    words: /invalid (utf-?8|unicode|surrogate)|(lone|unpaired|invalid) surrogate|surrogate pair/,
    repair: 'unicode',
    source: 'espressif/esp-claw#58',
  },
  {
    id: 'general-role',
    kind: 'role',
    provider: 'any',
    status: 400,
    words:
      /(invalid|unsupported|unknown|unexpected|unrecognized) (message )?role:? developer\b|role:? developer (is )?(not|un)[ -]?(supported|allowed|valid|recognized)|\bdeveloper role is not supported/,
    repair: 'role-developer',
    source: 'openclaw/openclaw#3022',
  },
]

export const generalRejections: readonly RejectionEntry[] = entries.map(entry => ({ ...entry, isGeneral: true }))
