#!/usr/bin/env python3
"""Checks an exported audit chain, without trusting the server that wrote it.

    parleyctl --data DIR --tenant TENANT --json audit export | python3 check_audit.py
    python3 check_audit.py export.jsonl --last HASH

Reads a JSON object per line, in any order. Each entry has a number (seq), the hash of the entry before it (prevHash)
and its own: SHA-256 over prevHash and the entry's canonical JSON (RFC 8785) without both. Entries hold text, whole
numbers, null and maps of text, of which Python's compact JSON with sorted keys is the canonical form.

An export of a part of the time proves that part. That the end is the chain's, only a hash tells that was kept
elsewhere: give it as --last.

Exit codes: 0 the chain is whole; 1 it is not; 2 the export cannot be read.
"""
import argparse
import hashlib
import json
import sys

NO_HASH = '0' * 64


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False)


def hash_of(entry):
    facts = {name: value for name, value in entry.items() if name not in ('prevHash', 'hash')}
    return hashlib.sha256((entry['prevHash'] + canonical(facts)).encode('utf-8')).hexdigest()


def faults_of(entries):
    """Yields a sentence for each fault of the entries, which come in order of their numbers."""
    ids, before = set(), None
    for entry in entries:
        name = f"entry {entry['seq']}"
        if entry['hash'] != hash_of(entry):
            yield f'{name} was changed: its hash does not match its text'
        if entry['auditId'] in ids:
            yield f'{name} occurs twice: {entry["auditId"]}'
        ids.add(entry['auditId'])
        if before is None:
            if entry['seq'] == 1 and entry['prevHash'] != NO_HASH:
                yield f'{name} names an entry before the first'
        elif entry['seq'] != before['seq'] + 1:
            yield f"entry {before['seq'] + 1} is missing"
        elif entry['prevHash'] != before['hash']:
            yield f'{name} does not name the hash before it'
        before = entry


def main():
    parser = argparse.ArgumentParser(description='Checks an exported audit chain.')
    parser.add_argument('export', nargs='?', help='lines of JSON; standard input if not given')
    parser.add_argument('--last', help='the hash that the last entry must have')
    args = parser.parse_args()
    try:
        with open(args.export, encoding='utf-8') if args.export else sys.stdin as lines:
            entries = sorted((json.loads(line) for line in lines if line.strip()), key=lambda entry: entry['seq'])
        faults = list(faults_of(entries))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f'the export cannot be read: {error!r}', file=sys.stderr)
        return 2
    if args.last and (not entries or entries[-1]['hash'] != args.last):
        faults.append('the last entry is another than the one whose hash was kept')
    for fault in faults:
        print(fault)
    span = f" ({entries[0]['seq']} to {entries[-1]['seq']})" if entries else ''
    print(f'{len(entries)} entries{span}: {len(faults)} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
