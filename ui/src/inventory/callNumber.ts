// A shelf mark from its parts.
interface Parts {
  callNumber?: string
  callNumberPrefix?: string
  callNumberSuffix?: string
}

export const callNumberOf = ({ callNumberPrefix, callNumber, callNumberSuffix }: Parts): string =>
  [callNumberPrefix, callNumber, callNumberSuffix].filter(Boolean).join(' ')

/** The same of an item: its effective one. */
export const effectiveCallNumber = (
  parts: { callNumber?: string; prefix?: string; suffix?: string } | undefined,
): string => [parts?.prefix, parts?.callNumber, parts?.suffix].filter(Boolean).join(' ')
