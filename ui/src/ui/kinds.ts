// The kinds of outcome. A kind is a class of base.css that sets --k-tint, --k-line, --k-solid, --k-text.
export const KINDS = ['ok', 'hold', 'transit', 'fee', 'blocked', 'question', 'offline'] as const
export type Kind = (typeof KINDS)[number]
