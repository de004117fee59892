import CConvertSimulation
import ConvertTestSupport
import Foundation

/// The disk of one machine. It knows which bytes were synced, and what a failure of power leaves of the others; and it
/// can be full, break, and write less than it should.
final class Disk {
    /// How the disk fares.
    enum Health: String, CaseIterable {
        case well
        /// Nothing more fits.
        case full
        /// Some steps fail.
        case broken
        /// Writes stop in the middle, and the rest does not fit.
        case short
    }

    /// How a process ends that does not end itself.
    enum End: String { case kill, powerFailure }

    fileprivate enum Change {
        case write([UInt8], offset: Int)
        case truncate(Int)
    }

    /// A file, as it was when it was synced last, and what changed since.
    fileprivate struct File {
        var image: [UInt8] = []
        var changes: [Change] = []
    }

    let root: String
    var health = Health.well
    /// When the disk was not well for the last time; `nil` if it always was.
    private(set) var lastTrouble: Int64?
    /// Called in the step at which the process ends.
    var didEnd: ((End) -> Void)?
    private(set) var folder: String
    private var number = 0
    private var steps = 0
    private var end: (step: Int, end: End)?
    /// Whether the process has ended: nothing of what it does is seen any more.
    private var isFrozen = false
    private var files: [String: File] = [:]
    private var generator: SeededGenerator

    init(root: String, seed: Int) {
        self.root = root
        folder = "\(root)/0"
        generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 7 &+ 3)
        aside { try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    }

    /// Ends the process at the `step`-th step from now.
    func schedule(_ end: End, in step: Int) { self.end = (steps + step, end) }

    /// Decides about a step: how many bytes are written, or a negative error number.
    func decide(
        _ step: simulation_step, _ path: String, _ bytes: UnsafeRawPointer?, _ count: Int64, _ offset: Int64
    ) -> Int64 {
        if isFrozen { return Int64(-EIO) }
        steps += 1
        if let end, steps >= end.step {
            self.end = nil
            finish(end.end)
            return Int64(-EIO)
        }
        let world = World.current
        world.trace.note(Int(step.rawValue), Int(count), Int(offset))
        let allowed = allowed(step, count)
        if allowed < 0 { return allowed }
        note(step, path, bytes, Int(allowed), Int(offset))
        return allowed
    }

    private func allowed(_ step: simulation_step, _ count: Int64) -> Int64 {
        if health == .well { return count }
        lastTrouble = World.current.time
        let takesRoom = step == simulation_write || step == simulation_create
        switch health {
        case .full where takesRoom && generator.happens(80): return Int64(-ENOSPC)
        case .broken where generator.happens(30): return Int64(-EIO)
        case .short where step == simulation_write && generator.happens(50):
            return count > 1 && generator.happens(70) ? Int64(generator.int(1...Int(count) - 1)) : Int64(-ENOSPC)
        default: return count
        }
    }

    /// Remembers a step that is done.
    private func note(
        _ step: simulation_step, _ path: String, _ bytes: UnsafeRawPointer?, _ count: Int, _ offset: Int
    ) {
        switch step {
        case simulation_write:
            let content = UnsafeRawBufferPointer(start: bytes, count: count)
            files[path, default: File()].changes.append(.write(Array(content), offset: offset))
        case simulation_truncate: files[path, default: File()].changes.append(.truncate(offset))
        case simulation_sync: files[path, default: File()].sync()
        case simulation_unlink: files[path] = nil
        case simulation_rename:
            guard let bytes else { return }
            let new = String(cString: bytes.assumingMemoryBound(to: CChar.self))
            files[new] = files.removeValue(forKey: path)
        default: break
        }
    }

    // MARK: Ends

    /// Ends the process now. What it wrote is in another folder then: after a failure of power, as much of it as the
    /// disk kept.
    func finish(_ end: End) {
        if isFrozen { return }
        isFrozen = true
        World.current.trace.note(end == .kill ? 1 : 2, steps)
        let old = folder
        number += 1
        folder = "\(root)/\(number)"
        aside {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in (try? FileManager.default.contentsOfDirectory(atPath: old))?.sorted() ?? [] {
                if name.hasSuffix("-shm") { continue }
                let path = "\(old)/\(name)"
                var content = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
                if end == .powerFailure, let file = files[path] { content = file.afterPowerFailure(&generator) }
                _ = FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data(content))
                files["\(folder)/\(name)"] = File(image: content)
            }
        }
        didEnd?(end)
    }

    /// Begins anew after ``finish(_:)``, with what is in the folder.
    func restart() {
        let old = "\(root)/\(number - 1)/"
        simulation_close_files(old)
        // Abandoned connections to the old files stay in the process, so the files keep their numbers, which no others
        // may get.
        aside { for path in files.keys where path.hasPrefix(old) { truncate(path, 0) } }
        files = files.filter { !$0.key.hasPrefix(old) }
        isFrozen = false
    }

    /// Does something to files of which the simulated disk knows nothing.
    private func aside(_ body: () -> Void) {
        simulation_set_on(false)
        body()
        simulation_set_on(true)
    }
}

extension Disk.File {
    fileprivate mutating func sync() {
        for change in changes { change.apply(to: &image) }
        changes = []
    }

    /// What the disk has: the image, and some of the changes, some of them torn at sectors.
    fileprivate func afterPowerFailure(_ generator: inout SeededGenerator) -> [UInt8] {
        var image = image
        for change in changes {
            switch generator.int(0...2) {
            case 0: change.apply(to: &image)
            case 1: break
            default: for part in change.sectors where generator.happens(50) { part.apply(to: &image) }
            }
        }
        return image
    }
}

extension Disk.Change {
    fileprivate func apply(to image: inout [UInt8]) {
        switch self {
        case .truncate(let size):
            if size < image.count { image.removeLast(image.count - size) }
            if size > image.count { image += [UInt8](repeating: 0, count: size - image.count) }
        case .write(let bytes, let offset):
            let missing = offset + bytes.count - image.count
            if missing > 0 { image += [UInt8](repeating: 0, count: missing) }
            image.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
    }

    /// The change, cut where sectors of 512 bytes begin.
    fileprivate var sectors: [Self] {
        guard case .write(let bytes, let offset) = self else { return [self] }
        var parts: [Self] = []
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + 512 - (offset + place) % 512)
            parts.append(.write(Array(bytes[place..<end]), offset: offset + place))
            place = end
        }
        return parts
    }
}
