#!/bin/sh
# Installs 電脳麻将's player beside this file. Needs node and npm.
set -e
cd "$(dirname "$0")"
npm ci --ignore-scripts --no-audit --no-fund
