#!/usr/bin/env python3
"""Writes cases.tsv and calendars.json: due dates by FOLIO's rules, reckoned without Octavo.

    python3 make_cases.py              writes both files beside this program
    python3 make_cases.py random N S   writes N random cases with seed S instead, for a search

The rules are those of mod-circulation (loan policies, closed-library management, the hold shelf,
recalls) and mod-calendar (openings), written down in README.md. Nothing here looks at Octavo's code:
calendars are unrolled day by day, and instants are reckoned with the standard library's zoneinfo.
"""

import json
import random
import sys
from bisect import bisect_left, bisect_right
from calendar import monthrange
from datetime import date, datetime, time, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

HERE = Path(__file__).parent
UTC = timezone.utc
POINT = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f"
ABSENT = "Calendar timetable is absent for requested date"
OUTSIDE = "loan date falls outside of the date ranges in the loan policy"


class Refused(Exception):
    pass


# Instants and local time. All instants are aware datetimes in UTC.


def at(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(UTC)


def to_local(instant, zone):
    return instant.astimezone(ZoneInfo(zone))


def resolve(local, zone):
    """A time the clocks skip moves on by what they skip; of two equal ones it is the first."""
    return local.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)


def day_start(day, zone):
    return resolve(datetime.combine(day, time(0)), zone)


def day_end(day, zone):
    return day_start(day + timedelta(days=1), zone) - timedelta(seconds=1)


def local_day(instant, zone):
    return to_local(instant, zone).date()


def written(instant):
    text = instant.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
    if instant.microsecond:
        text += "." + f"{instant.microsecond:06}".rstrip("0")
    return text + "Z"


# Periods.


def parse_period(text):
    if text in ("", None):
        return None
    duration, interval = text.split(" ")
    return int(duration), interval


def add(instant, period, zone, words):
    if period is None:
        raise Refused(words["period"])
    duration, interval = period
    if duration <= 0:
        raise Refused(words["duration"] % duration)
    if interval == "Minutes":
        return instant + timedelta(minutes=duration)
    if interval == "Hours":
        return instant + timedelta(hours=duration)
    local = to_local(instant, zone).replace(tzinfo=None)
    if interval == "Days":
        moved = local + timedelta(days=duration)
    elif interval == "Weeks":
        moved = local + timedelta(weeks=duration)
    elif interval == "Months":
        months = local.year * 12 + local.month - 1 + duration
        year, month = months // 12, months % 12 + 1
        day = min(local.day, monthrange(year, month)[1])
        moved = local.replace(year=year, month=month, day=day)
    else:
        raise Refused(words["interval"] % interval)
    # The same wall clock; where it comes twice and the loan lies in the same hour, nothing matters.
    return resolve(moved, zone)


LOAN_WORDS = {
    "period": "the loan period in the loan policy is not recognised",
    "duration": 'the duration "%s" in the loan policy is invalid',
    "interval": 'the interval "%s" in the loan policy is not recognised',
}
EXACT = {"Minutes": 1, "Hours": 60, "Days": 1440, "Weeks": 7 * 1440, "Months": 31 * 1440}


def exact(period):
    if period is None:
        return timedelta(0)
    return timedelta(minutes=period[0] * EXACT.get(period[1], 0))


# Calendars: every day of every calendar, one by one.

WEEK = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"]


def weekday_of(day):
    return WEEK[(day.weekday() + 1) % 7]


def minutes(text):
    hour, minute = text.split(":")[:2]
    return int(hour) * 60 + int(minute)


LAST = 23 * 60 + 59


def weekly_parts(normal):
    """Minute ranges by weekday: walk from the opening's start through the week to its end."""
    start, end = minutes(normal["startTime"]), minutes(normal["endTime"])
    at_day = WEEK.index(normal["startDay"])
    last_day = WEEK.index(normal["endDay"])
    steps = (last_day - at_day) % 7
    if steps == 0 and start > end:
        steps = 7
    parts = []
    for step in range(steps + 1):
        begin = start if step == 0 else 0
        finish = end if step == steps else LAST
        parts.append((WEEK[(at_day + step) % 7], begin, finish))
    return parts


def is_whole(ranges):
    if not ranges or ranges[0][0] != 0 or ranges[-1][1] != LAST:
        return False
    return all(after[0] == before[1] + 1 for before, after in zip(ranges, ranges[1:]))


@lru_cache(maxsize=None)
def unrolled(name):
    """date -> (all_day, [(from, to)]) of the open days, and the dates in order."""
    days = {}
    for record in CALENDARS[name]:
        week = {day: [] for day in WEEK}
        for normal in record["normalHours"]:
            for day, begin, finish in weekly_parts(normal):
                week[day].append((begin, finish))
        day = date.fromisoformat(record["startDate"])
        last = date.fromisoformat(record["endDate"])
        while day <= last:
            ranges = sorted(week[weekday_of(day)])
            whole = is_whole(ranges)
            for exception in record["exceptions"]:
                if exception["startDate"] <= day.isoformat() <= exception["endDate"]:
                    ranges = sorted(exception_part(one, day) for one in exception["openings"]
                                    if one["startDate"] <= day.isoformat() <= one["endDate"])
                    whole = ranges == [(0, LAST)]
            if ranges:
                days[day] = (whole, ranges)
            if day == date.max:
                break
            day += timedelta(days=1)
    return days, sorted(days)


def exception_part(opening, day):
    text = day.isoformat()
    begin = minutes(opening["startTime"]) if opening["startDate"] == text else 0
    finish = minutes(opening["endTime"]) if opening["endDate"] == text else LAST
    return begin, finish


def surrounding(name, day):
    """The open day before, the day if open, the open day after; each is a date or None."""
    if not name:
        return None, None, None
    days, order = unrolled(name)
    before = bisect_left(order, day)
    after = bisect_right(order, day)
    return (
        order[before - 1] if before > 0 else None,
        day if day in days else None,
        order[after] if after < len(order) else None,
    )


def timetable(name, around, zone):
    """Open and closed stretches of the three days as [start, end, open]."""
    stretches = []
    for day in around:
        if day is None:
            continue
        whole, ranges = unrolled(name)[0][day]
        if whole:
            opened = [(day_start(day, zone), day_start(day + timedelta(days=1), zone))]
        else:
            clock = lambda minute: resolve(datetime.combine(day, time(minute // 60, minute % 60)), zone)
            opened = [(clock(begin), clock(finish)) for begin, finish in ranges]
        for begin, finish in opened:
            if stretches and stretches[-1][1] == begin:
                stretches[-1][1] = finish
                continue
            if stretches:
                stretches.append([stretches[-1][1], begin, False])
            stretches.append([begin, finish, True])
    return stretches


def place(stretches, instant):
    for index, (begin, finish, _) in enumerate(stretches):
        if begin <= instant < finish:
            return index
    return None


# Closed-library management.


def end_of_open_day(instant, around, other, zone):
    if around[1] is not None:
        return day_end(local_day(instant, zone), zone)
    if other is None:
        raise Refused(ABSENT)
    return day_end(other, zone)


def end_of_current_hours(instant, now, stretches, zone):
    found = place(stretches, instant)
    if found is None:
        raise Refused(ABSENT)
    if stretches[found][2]:
        return instant
    current = place(stretches, now)
    if current is None:
        raise Refused(ABSENT)
    before = stretches[found - 1]
    head_end = to_local(stretches[0][1], zone)
    before_start = to_local(before[0], zone)
    # Whole days of 24 hours between the beginnings of the two days.
    between = abs(day_start(head_end.date(), zone) - day_start(before_start.date(), zone))
    near = between.days <= 1
    if near and (head_end.hour, head_end.minute) == (23, 59) and (before_start.hour, before_start.minute) == (0, 0):
        return before[1]
    if stretches[current][2]:
        return stretches[current][1]
    return stretches[current + 1][1]


def beginning_of_next_hours(instant, offset, stretches):
    found = place(stretches, instant)
    if found is None:
        raise Refused(ABSENT)
    if stretches[found][2]:
        return instant
    moved = stretches[found + 1][0] + offset
    there = place(stretches, moved)
    if there is None:
        return stretches[-1][1]
    if stretches[there][2]:
        return moved
    return stretches[there - 1][1]


def manage(management, instant, now, offset, name, zone):
    around = surrounding(name, local_day(instant, zone))
    if management == "END_OF_THE_PREVIOUS_OPEN_DAY":
        return end_of_open_day(instant, around, around[0], zone)
    if management == "END_OF_THE_NEXT_OPEN_DAY":
        return end_of_open_day(instant, around, around[2], zone)
    if management == "CURRENT_DUE_DATE_TIME":
        return instant
    if management == "END_OF_THE_CURRENT_SERVICE_POINT_HOURS":
        return end_of_current_hours(instant, now, timetable(name, around, zone), zone)
    if management == "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS":
        return beginning_of_next_hours(instant, offset, timetable(name, around, zone))
    return day_end(local_day(instant, zone), zone)


def before_expiration(management, expires, name, zone):
    around = surrounding(name, expires.date())
    if management in ("END_OF_THE_PREVIOUS_OPEN_DAY", "END_OF_THE_NEXT_OPEN_DAY"):
        if around[0] is None:
            raise Refused(ABSENT)
        return day_end(around[0], zone)
    if management in ("END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
                      "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS"):
        stretches = timetable(name, around, zone)
        found = place(stretches, expires)
        if found is None:
            raise Refused(ABSENT)
        # The first stretch stands before itself.
        return stretches[max(found - 1, 0)][1]
    return expires


# Schedules: "from/to/due" joined by commas.


def schedule_due(schedule, day):
    for part in schedule.split(",") if schedule else []:
        begin, finish, due = (at(text) for text in part.split("/"))
        if begin < day < finish:
            return due
    return None


def short_term(case):
    period = parse_period(case["period"])
    return period is not None and period[1] in ("Hours", "Minutes")


def limited(case, moved, base, now, limit):
    zone = case["zone"]
    if limit is None or local_day(moved, zone) <= local_day(limit, zone):
        return moved
    around = surrounding(case["calendars"], local_day(base, zone))
    if short_term(case):
        stretches = timetable(case["calendars"], around, zone)
        return end_of_current_hours(limit, now, stretches, zone)
    return end_of_open_day(limit, around, around[0], zone)


def managed(case, base, now, limit_for):
    zone, name = case["zone"], case["calendars"]
    offset = exact(parse_period(case["offset"]))
    moved = manage(case["management"], base, now, offset, name, zone)
    moved = limited(case, moved, base, now, schedule_due(case["schedule"], limit_for))
    expires = at(case["expires"]) if case["expires"] else None
    if expires is not None and expires < moved:
        return written(before_expiration(case["management"], expires, name, zone)) + " by expiration"
    return written(moved)


def loan(case):
    zone, begun = case["zone"], at(case["begun"])
    hold = parse_period(case["hold"])
    by_hold = ""
    if case["profile"].lower() not in ("rolling", "fixed"):
        raise Refused('profile "%s" in the loan policy is not recognised' % case["profile"])
    if case["profile"].lower() == "rolling" or hold is not None:
        by_hold = " by hold" if hold is not None and case["profile"].lower() == "rolling" else ""
        base = add(begun, hold or parse_period(case["period"]), zone, LOAN_WORDS)
        if case["schedule"]:
            limit = schedule_due(case["schedule"], begun)
            if limit is None:
                raise Refused(OUTSIDE)
            base = min(base, limit)
    else:
        base = schedule_due(case["schedule"], begun)
        if base is None:
            raise Refused(OUTSIDE)
    found = managed(case, base, begun, begun)
    instant, *flags = found.split(" by ")
    return instant + by_hold + "".join(" by " + flag for flag in flags)


def recall(case):
    """`hold` has the return interval, `more` the guaranteed period, `due` the present due date."""
    zone, begun, now, due = case["zone"], at(case["begun"]), at(case["now"]), at(case["due"])
    words = {"period": "", "duration": "", "interval": ""}
    interval, sure = parse_period(case["hold"]), parse_period(case["more"])
    back = add(now, interval, zone, words) if interval else now
    guaranteed = add(begun, sure, zone, words) if sure else None
    if due < now or back > due:
        new = due
    else:
        new = back if guaranteed is None else max(back, guaranteed)
    # The schedule's limit is looked up for the new due date.
    return managed(case, new, now, new).replace(" by expiration", "")


SHELF = {
    "Keep_the_current_due_date": "CURRENT_DUE_DATE",
    "Move_to_the_end_of_the_previous_open_day": "END_OF_THE_PREVIOUS_OPEN_DAY",
    "Move_to_the_end_of_the_next_open_day": "END_OF_THE_NEXT_OPEN_DAY",
    "Keep_the_current_due_date_time": "CURRENT_DUE_DATE_TIME",
    "Move_to_end_of_current_service_point_hours": "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
    "Move_to_beginning_of_next_open_service_point_hours": "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
}


def shelf(case):
    zone, now = case["zone"], at(case["begun"])
    period = parse_period(case["period"])
    end = add(now, period, zone, LOAN_WORDS)
    if period[1] not in ("Hours", "Minutes"):
        end = day_end(local_day(end, zone), zone)
    management = SHELF.get(case["management"], "CURRENT_DUE_DATE")
    if management == "CURRENT_DUE_DATE" and period[1] in ("Hours", "Minutes"):
        management = "CURRENT_DUE_DATE_TIME"
    return written(manage(management, end, end, exact(period), case["calendars"], zone))


COLUMNS = ["kind", "zone", "profile", "period", "management", "offset", "grace", "hold", "more",
           "schedule", "calendars", "expires", "begun", "now", "due"]


def row(kind="loan", **given):
    case = dict.fromkeys(COLUMNS, "")
    case.update(kind=kind, zone="UTC", profile="Rolling", management="CURRENT_DUE_DATE_TIME")
    case.update(given)
    reckon = {"loan": loan, "recall": recall, "shelf": shelf}[kind]
    try:
        case["expected"] = reckon(case)
    except Refused as refused:
        case["expected"] = str(refused)
    return case


from fixtures import CALENDARS, rows, random_rows  # noqa: E402  (they need what stands above)


def main():
    if sys.argv[1:2] == ["random"]:
        made = random_rows(row, random.Random(int(sys.argv[3])), int(sys.argv[2]))
    else:
        made = rows(row)
    lines = ["\t".join(COLUMNS + ["expected"])]
    seen = set()
    for case in made:
        line = "\t".join(case[column] for column in COLUMNS + ["expected"])
        if line not in seen:
            seen.add(line)
            lines.append(line)
    (HERE / "cases.tsv").write_text("\n".join(lines) + "\n")
    (HERE / "calendars.json").write_text(json.dumps(CALENDARS, separators=(",", ":")) + "\n")
    print(len(lines) - 1, "cases")


if __name__ == "__main__":
    main()
