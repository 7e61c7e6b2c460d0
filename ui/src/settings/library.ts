// What holds for the whole library: its language and money, requests for titles, the desk, and when closed loans
// and requests forget who had them.
import { get, put } from '#/api/client'
import { localeQuery } from '#/api/locale'
import { queryClient } from '#/api/query'
import { currencies, languages, zones } from './codes'
import { formOf, type Home, type Setting } from './homes'
import type { Field, Kind, Source, When } from './kinds'
import type { Values } from './paths'
import { UNITS } from './units'

const TEMPLATES: Source = { path: '/templates', key: 'templates', name: 'name' }
const OWN = { in: 'circulation', owner: '' } as const
const CIRCULATION = {
  path: '/circulation/settings',
  key: 'circulationSettings',
  name: 'name',
  group: 'set.groupCirculation',
  single: true,
} as const

/** In the configuration, or with circulation's own settings. */
function configured(module: string, name: string): Setting {
  const fresh: Home = { in: 'configuration', owner: module, parts: [{ name }] }
  return { homes: [fresh, { ...OWN, parts: [{ name }] }], fresh }
}
function own(name: string): Setting {
  const fresh: Home = { ...OWN, parts: [{ name }] }
  return { homes: [fresh], fresh }
}

const HALVES: Home['parts'] = [
  {
    name: 'generalTlr',
    has: [
      'titleLevelRequestsFeatureEnabled',
      'createTitleLevelRequestsByDefault',
      'tlrHoldShouldFollowCirculationRules',
    ],
  },
  {
    name: 'regularTlr',
    has: [
      'confirmationPatronNoticeTemplateId',
      'cancellationPatronNoticeTemplateId',
      'expirationPatronNoticeTemplateId',
    ],
  },
]
const TITLES_ENTRIES: Home = { in: 'entries', owner: 'circulation', parts: HALVES }
const TITLES: Setting = {
  homes: [
    TITLES_ENTRIES,
    { in: 'configuration', owner: 'SETTINGS', parts: [{ name: 'TLR' }] },
    { ...OWN, parts: HALVES },
    { ...OWN, parts: [{ name: 'TLR' }] },
  ],
  fresh: TITLES_ENTRIES,
}

const titles: When = { name: '$titles.titleLevelRequestsFeatureEnabled', is: [true] }
const notice = (name: string, label: Field['label']): Field => ({
  name: `$titles.${name}PatronNoticeTemplateId`,
  label,
  type: 'ref',
  of: TEMPLATES,
  clears: true,
  when: titles,
})

const TITLE_REQUESTS: Kind = {
  ...CIRCULATION,
  id: 'title-requests',
  title: 'set.titleRequests',
  permission: 'mod-settings.entries.item',
  fields: [
    {
      name: '$titles.titleLevelRequestsFeatureEnabled',
      label: 'set.titles.on',
      type: 'check',
    },
    {
      name: '$titles.createTitleLevelRequestsByDefault',
      label: 'set.titles.first',
      type: 'check',
      when: titles,
    },
    {
      name: '$titles.tlrHoldShouldFollowCirculationRules',
      label: 'set.titles.byRules',
      type: 'check',
      when: titles,
    },
    notice('confirmation', 'set.titles.placed'),
    notice('cancellation', 'set.titles.cancelled'),
    notice('expiration', 'set.titles.expired'),
  ],
  wire: formOf('title-requests', { $titles: TITLES }),
}

const DESK: Kind = {
  ...CIRCULATION,
  id: 'desk',
  title: 'set.desk',
  permission: 'circulation.settings.item',
  alsoNeeds: 'configuration.entries.item.put',
  fields: [
    { name: '$desk.checkoutTimeout', label: 'set.desk.timeout', type: 'check' },
    {
      name: '$desk.checkoutTimeoutDuration',
      label: 'set.desk.minutes',
      type: 'number',
      needed: true,
      only: { pattern: /^[1-9]\d{0,3}$/, text: 'set.desk.minutesOnly' },
      when: { name: '$desk.checkoutTimeout', is: [true] },
    },
    { name: '$holds.printHoldRequestsEnabled', label: 'set.desk.searchSlips', type: 'check' },
    { name: '$printed.enablePrintLog', label: 'set.desk.countSlips', type: 'check' },
  ],
  wire: formOf('desk', {
    $desk: configured('CHECKOUT', 'other_settings'),
    $holds: configured('SETTINGS', 'PRINT_HOLD_REQUESTS'),
    $printed: own('printEventLogFeature'),
  }),
}

const CLOSED = [
  { value: 'never', text: 'set.forget.never' },
  { value: 'immediately', text: 'set.forget.atOnce' },
  { value: 'interval', text: 'set.forget.later' },
] as const
const apart: When = { name: '$loans.treatEnabled', is: [true] }

const FORGETTING: Kind = {
  ...CIRCULATION,
  id: 'forgetting',
  title: 'set.forgetting',
  permission: 'circulation.settings.item',
  alsoNeeds: 'configuration.entries.item.put',
  fields: [
    {
      name: '$loans.closingType.loan',
      label: 'set.forget.loans',
      type: 'select',
      choices: CLOSED,
    },
    {
      name: '$loans.loan',
      label: 'set.forget.loansAfter',
      type: 'period',
      units: UNITS,
      needed: true,
      when: { name: '$loans.closingType.loan', is: ['interval'] },
    },
    { name: '$loans.treatEnabled', label: 'set.forget.apart', type: 'check' },
    {
      name: '$loans.closingType.feeFine',
      label: 'set.forget.fees',
      type: 'select',
      choices: CLOSED,
      needed: true,
      when: apart,
    },
    {
      name: '$loans.feeFine',
      label: 'set.forget.feesAfter',
      type: 'period',
      units: UNITS,
      needed: true,
      when: [apart, { name: '$loans.closingType.feeFine', is: ['interval'] }],
    },
    {
      name: '$requests.mode',
      label: 'set.forget.requests',
      type: 'select',
      choices: [
        { value: 'never', text: 'set.forget.never' },
        { value: 'immediately', text: 'set.forget.atOnce' },
        { value: 'delayed', text: 'set.forget.later' },
      ],
    },
    {
      name: '$requests.delay',
      label: 'set.forget.requestsAfter',
      type: 'number',
      needed: true,
      when: { name: '$requests.mode', is: ['delayed'] },
    },
    {
      name: '$requests.delayUnit',
      label: 'set.forget.requestsUnit',
      type: 'select',
      needed: true,
      choices: [
        { value: 'minutes', text: 'set.minutes' },
        { value: 'hours', text: 'set.hours' },
        { value: 'days', text: 'set.days' },
        { value: 'months', text: 'set.months' },
        { value: 'years', text: 'set.years' },
      ],
      when: { name: '$requests.mode', is: ['delayed'] },
    },
  ],
  wire: formOf('forgetting', {
    $loans: configured('LOAN_HISTORY', 'loan_history'),
    $requests: own('requestAnonymization'),
  }),
}

const LOCALE: Kind = {
  id: 'locale',
  path: '/locale',
  key: 'locale',
  name: 'locale',
  title: 'set.locale',
  group: 'set.groupPlaces',
  permission: 'locale.item',
  single: true,
  fields: [
    {
      name: 'locale',
      label: 'set.locale.language',
      type: 'lookup',
      lookup: languages,
      needed: true,
    },
    {
      name: 'currency',
      label: 'set.locale.currency',
      type: 'lookup',
      lookup: currencies,
      needed: true,
    },
    { name: 'timezone', label: 'set.locale.zone', type: 'lookup', lookup: zones, needed: true },
  ],
  wire: {
    read: async () => ({ ...(await get<Values>('/locale')), id: 'locale' }),
    store: async ({ id: _, ...locale }) => {
      await put('/locale', locale)
      // Every page reads it from here, and none asks again by itself.
      await queryClient.fetchQuery({ ...localeQuery, staleTime: 0 })
    },
  },
}

export const LIBRARY_SETTINGS: readonly Kind[] = [TITLE_REQUESTS, DESK, FORGETTING, LOCALE]
