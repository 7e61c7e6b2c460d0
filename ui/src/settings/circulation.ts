// Kinds of records that circulation uses.
import { EXCEPTIONS, HOURS, SERVED } from './hours'
import type { Field, Kind } from './kinds'
import { LOAN_POLICIES, SCHEDULES } from './loanPolicies'
import { LOST_ITEMS } from './lostItems'
import { FEE_NOTICES, LOAN_NOTICES, REQUEST_NOTICES } from './notices'
import { OVERDUE_FINES } from './overdueFines'

const NAME: Field = { name: 'name', label: 'set.name', type: 'text', needed: true }
const DESCRIPTION: Field = { name: 'description', label: 'set.description', type: 'lines' }
const ACTIVE: Field = { name: 'active', label: 'set.active', type: 'check' }
const group = 'set.groupCirculation'

/** Where requests of a type may be picked up. */
const pickupOf = (type: string, label: Field['label']): Field => ({
  name: `allowedServicePoints.${type}`,
  label,
  type: 'refs',
  clears: true,
  of: {
    path: '/service-points',
    key: 'servicepoints',
    name: 'name',
    where: 'pickupLocation==true',
  },
  when: { name: 'requestTypes', is: [type] },
})

export const CIRCULATION: readonly Kind[] = [
  LOAN_POLICIES,
  {
    ...SCHEDULES,
    id: 'schedules',
    title: 'set.schedules',
    group,
    permission: 'circulation-storage.fixed-due-date-schedules.item',
    fields: [NAME, DESCRIPTION, { name: 'schedules', label: 'set.ranges', type: 'ranges' }],
    columns: ['description'],
    fresh: { schedules: [] },
  },
  {
    id: 'request-policies',
    path: '/request-policy-storage/request-policies',
    key: 'requestPolicies',
    name: 'name',
    title: 'set.requestPolicies',
    group,
    permission: 'circulation-storage.request-policies.item',
    fields: [
      NAME,
      DESCRIPTION,
      {
        name: 'requestTypes',
        label: 'set.requestTypes',
        type: 'some',
        choices: [
          { value: 'Hold', text: 'set.hold' },
          { value: 'Page', text: 'set.page' },
          { value: 'Recall', text: 'set.recall' },
        ],
      },
      pickupOf('Hold', 'set.pickupHold'),
      pickupOf('Page', 'set.pickupPage'),
      pickupOf('Recall', 'set.pickupRecall'),
    ],
    shownOnly: true,
    columns: ['description'],
    fresh: { requestTypes: [] },
  },
  {
    id: 'notice-policies',
    path: '/patron-notice-policy-storage/patron-notice-policies',
    key: 'patronNoticePolicies',
    name: 'name',
    title: 'set.noticePolicies',
    group,
    permission: 'circulation-storage.patron-notice-policies.item',
    fields: [NAME, DESCRIPTION, ACTIVE, LOAN_NOTICES, REQUEST_NOTICES, FEE_NOTICES],
    columns: ['description'],
    fresh: { active: true, loanNotices: [], requestNotices: [], feeFineNotices: [] },
  },
  OVERDUE_FINES,
  LOST_ITEMS,
  {
    id: 'notice-templates',
    path: '/templates',
    key: 'templates',
    name: 'name',
    title: 'set.templates',
    group,
    permission: 'templates.item',
    fields: [
      NAME,
      DESCRIPTION,
      ACTIVE,
      {
        name: 'category',
        label: 'set.category',
        type: 'select',
        choices: [
          { value: 'Loan', text: 'set.category.loan' },
          { value: 'Request', text: 'set.category.request' },
          { value: 'AutomatedFeeFineCharge', text: 'set.category.automatedFees' },
          { value: 'FeeFineCharge', text: 'set.category.fees' },
          { value: 'FeeFineAction', text: 'set.category.feeActs' },
        ],
      },
      { name: 'localizedTemplates.en.header', label: 'set.subject', type: 'text', needed: true },
      {
        name: 'localizedTemplates.en.body',
        label: 'set.body',
        type: 'html',
        subject: 'localizedTemplates.en.header',
      },
    ],
    columns: ['description'],
    fresh: {
      active: true,
      category: 'Loan',
      outputFormats: ['text/html'],
      templateResolver: 'mustache',
      localizedTemplates: { en: { header: '', body: '', attachments: [] } },
    },
  },
  {
    id: 'staff-slips',
    path: '/staff-slips-storage/staff-slips',
    key: 'staffSlips',
    name: 'name',
    title: 'set.slips',
    group,
    permission: 'circulation-storage.staff-slips.item',
    fields: [NAME, DESCRIPTION, ACTIVE, { name: 'template', label: 'set.body', type: 'html' }],
    columns: ['description'],
    fresh: { active: true },
  },
  {
    id: 'loan-types',
    path: '/loan-types',
    key: 'loantypes',
    name: 'name',
    title: 'set.loanTypes',
    group,
    permission: 'inventory-storage.loan-types.item',
    fields: [NAME],
  },
  {
    id: 'groups',
    path: '/groups',
    key: 'usergroups',
    name: 'group',
    title: 'set.groups',
    group,
    permission: 'usergroups.item',
    fields: [
      { name: 'group', label: 'set.name', type: 'text', needed: true },
      { name: 'desc', label: 'set.description', type: 'lines' },
      { name: 'expirationOffsetInDays', label: 'set.expires', type: 'number' },
    ],
    columns: ['desc'],
  },
  {
    id: 'cancellation-reasons',
    path: '/cancellation-reason-storage/cancellation-reasons',
    key: 'cancellationReasons',
    name: 'name',
    title: 'set.reasons',
    group,
    permission: 'circulation-storage.cancellation-reasons.item',
    fields: [
      NAME,
      DESCRIPTION,
      { name: 'publicDescription', label: 'set.publicDescription', type: 'lines' },
    ],
    columns: ['description'],
  },
  {
    id: 'calendars',
    path: '/calendar/calendars',
    key: 'calendars',
    name: 'name',
    title: 'set.calendars',
    group,
    permission: 'calendar.endpoint.calendars.calendarId',
    makePermission: 'calendar.endpoint.calendars.post',
    fields: [
      NAME,
      { name: 'startDate', label: 'set.from', type: 'date', needed: true },
      { name: 'endDate', label: 'set.to', type: 'date', needed: true },
      SERVED,
      HOURS,
      EXCEPTIONS,
    ],
    columns: ['startDate', 'endDate'],
    fresh: { normalHours: [], exceptions: [], assignments: [] },
  },
]
