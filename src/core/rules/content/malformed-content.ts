import { defineRule, type Page } from '../rule.ts'

export const malformedContent = defineRule({
  id: 'malformed-content',
  appliesTo: (_, format) => format.writesText === true,
  check({ messages }, report) {
    for (const message of messages) {
      if (!message.malformed) continue
      report({
        message,
        text: 'the content is not a string, an image is not base64, or another field has a type that is rejected',
        fix: {
          title: 'write texts as strings, with the images in their own list',
          class: 'lossless',
          apply: draft => draft.update(message.key, ({ malformed: _, ...now }) => now),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'The content of a message is not a string, an image in it is not base64, or another field has a wrong type.',
  why: 'Other formats accept lists of blocks and data URLs, and the message was written for one of them. The whole request is rejected.',
  fix: 'Texts become one string, images their own list of base64. A block that is neither is written as JSON, and an address of an image as text. Other fields that must be strings become their JSON.',
}
